// What an environment variable must be: named, with a value or with one source.

import type { Json, JsonObject } from '../../parts.ts';
import { invalid, required } from '../../schema/field-errors.ts';
import { isObject, objectsAt, textAt } from '../json.ts';
import { configKeyErrors, type Errors } from './texts.ts';

const SOURCES = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef', 'fileKeyRef'];
const FIELDS: ReadonlySet<string> = new Set([
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
]);

export function environmentErrors(path: string, container: JsonObject): Errors {
  return [
    ...objectsAt(container, 'env').flatMap((variable, index) => variableErrors(`${path}.env[${index}]`, variable)),
    ...objectsAt(container, 'envFrom').flatMap(source => wholeSourceErrors(`${path}.envFrom`, source)),
  ];
}

function variableErrors(path: string, variable: JsonObject): Errors {
  const name = textAt(variable, 'name');
  const problem = "a valid environment variable name must consist only of printable ASCII characters other than '='";
  const isName = /^[ -<>-~]+$/.test(name);
  const named = name === '' ? [required(`${path}.name`)] : isName ? [] : [invalid(`${path}.name`, name, problem)];
  const source = variable.valueFrom;
  return isObject(source) ? [...named, ...sourceErrors(`${path}.valueFrom`, source, textAt(variable, 'value'))] : named;
}

function sourceErrors(path: string, source: JsonObject, value: string): Errors {
  const given = SOURCES.filter(key => isObject(source[key]));
  const inner = given.flatMap(key => referenceErrors(`${path}.${key}`, key, source[key] ?? null));
  if (given.length === 0) {
    const why =
      'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`';
    return [...inner, invalid(path, '', why)];
  }
  if (value !== '') return [...inner, invalid(path, '', 'may not be specified when `value` is not empty')];
  return given.length > 1
    ? [...inner, invalid(path, '', 'may not have more than one field specified at a time')]
    : inner;
}

function referenceErrors(path: string, key: string, reference: Json): Errors {
  if (!isObject(reference)) return [];
  if (key === 'fieldRef') return fieldErrors(path, textAt(reference, 'fieldPath'));
  if (key !== 'secretKeyRef' && key !== 'configMapKeyRef') return [];
  const name = textAt(reference, 'name') === '' ? [required(`${path}.name`)] : [];
  const of = textAt(reference, 'key');
  return [...name, ...(of === '' ? [required(`${path}.key`)] : configKeyErrors(`${path}.key`, of))];
}

function fieldErrors(path: string, field: string): Errors {
  if (field === '') return [required(`${path}.fieldPath`)];
  const isKnown = FIELDS.has(field) || /^metadata\.(labels|annotations)\['[^']+'\]$/.test(field);
  const why = `error converting fieldPath: field label not supported: ${field}`;
  return isKnown ? [] : [invalid(`${path}.fieldPath`, field, why)];
}

function wholeSourceErrors(path: string, source: JsonObject): Errors {
  const given = ['configMapRef', 'secretRef'].filter(key => isObject(source[key]));
  if (given.length === 0) return [invalid(path, '', 'must specify one of: `configMapRef` or `secretRef`')];
  if (given.length > 1) return [invalid(path, '', 'may not have more than one field specified at a time')];
  return given.flatMap(key => {
    const reference = source[key];
    return isObject(reference) && textAt(reference, 'name') === '' ? [required(`${path}.${key}.name`)] : [];
  });
}
