// What an environment variable must be: named, with a value or with one source.

import type { Json, JsonObject } from '../../parts.ts';
import { invalid, notFound, required } from '../../schema/field-errors.ts';
import { isObject, objectsAt, textAt } from '../json.ts';
import { fieldReferenceErrors, ownResourceErrors } from './field-references.ts';
import { type Check, type Checks, fieldErrors, NONE, ofEach, ofObject } from './fields.ts';
import { stayingErrors } from './paths.ts';
import type { ContainerView } from './pod-view.ts';
import { configKeyErrors, type Errors, labelErrors, subdomainErrors } from './texts.ts';

/** In the order in which they are told. */
const FIELDS = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];
const SOURCES: Checks<unknown> = [
  ['fieldRef', ofObject((path, reference) => fieldReferenceErrors(path, reference, FIELDS))],
  ['resourceFieldRef', ofObject(ownResourceErrors)],
  ['configMapKeyRef', ofObject(keyErrors)],
  ['secretKeyRef', ofObject(keyErrors)],
  ['fileKeyRef', ofObject(fileKeyErrors)],
];

export const variableErrors = ofEach<unknown>((path, variable) => {
  const [name, { valueFrom: source }] = [textAt(variable, 'name'), variable];
  const errors = name === '' ? [required(`${path}.name`)] : variableNameErrors(`${path}.name`, name);
  return isObject(source)
    ? [...errors, ...sourceErrors(`${path}.valueFrom`, source, textAt(variable, 'value'))]
    : errors;
});

function variableNameErrors(path: string, name: string): Errors {
  const why = "a valid environment variable name must consist only of printable ASCII characters other than '='";
  return /^[ -<>-~]+$/.test(name) ? NONE : [invalid(path, name, why)];
}

function sourceErrors(path: string, source: JsonObject, value: string): Errors {
  const given = SOURCES.filter(([key]) => isObject(source[key])).length;
  const inner = fieldErrors(SOURCES, path, source, undefined);
  const wrong = (why: string): Errors => [...inner, invalid(path, '', why)];
  if (given === 0) {
    return wrong(
      'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`',
    );
  }
  if (value !== '') return wrong('may not be specified when `value` is not empty');
  return given > 1 ? wrong('may not have more than one field specified at a time') : inner;
}

function keyErrors(path: string, reference: JsonObject): Errors {
  const key = textAt(reference, 'key');
  return [
    ...subdomainErrors(`${path}.name`, textAt(reference, 'name')),
    ...(key === '' ? [required(`${path}.key`)] : configKeyErrors(`${path}.key`, key)),
  ];
}

function fileKeyErrors(path: string, reference: JsonObject): Errors {
  const part = (key: string, check: (path: string, value: string) => Errors): Errors => {
    const value = textAt(reference, key);
    return value === '' ? [required(`${path}.${key}`)] : check(`${path}.${key}`, value);
  };
  return [...part('key', variableNameErrors), ...part('volumeName', labelErrors), ...part('path', stayingErrors)];
}

/** Variables of whole ConfigMaps and Secrets. */
export const wholeSourceErrors: Check<ContainerView> = (list, _, { container }) =>
  objectsAt(container, 'envFrom').flatMap((source, index) => {
    const [path, prefix] = [`${list}[${index}]`, textAt(source, 'prefix')];
    const given = ['configMapRef', 'secretRef'].filter(key => isObject(source[key]));
    return [
      ...(prefix === '' ? NONE : variableNameErrors(`${path}.prefix`, prefix)),
      ...given.flatMap(key => wholeNameErrors(`${path}.${key}.name`, source[key] ?? null)),
      ...(given.length === 0 ? [invalid(list, '', 'must specify one of: `configMapRef` or `secretRef`')] : NONE),
      ...(given.length > 1 ? [invalid(list, '', 'may not have more than one field specified at a time')] : NONE),
    ];
  });

/** What a generated name may begin with will do here. */
function wholeNameErrors(path: string, reference: Json): Errors {
  const name = isObject(reference) ? textAt(reference, 'name') : '';
  if (name === '') return [required(path)];
  return subdomainErrors(path, name.replace(/-$/, 'a')).length === 0 ? NONE : subdomainErrors(path, name);
}

/** Files of variables lie in an empty folder of the Pod. */
export function fileVolumeErrors(
  path: string,
  container: JsonObject,
  volumes: ReadonlyMap<string, JsonObject>,
): Errors {
  if (container.env === undefined) return NONE;
  return objectsAt(container, 'env').flatMap(({ valueFrom }, index) => {
    const file = isObject(valueFrom) ? valueFrom.fileKeyRef : undefined;
    if (!isObject(file)) return NONE;
    const [at, name] = [`${path}.env[${index}].valueFrom.fileKeyRef.volumeName`, textAt(file, 'volumeName')];
    const volume = volumes.get(name);
    if (volume === undefined) return [notFound(at, name)];
    return isObject(volume.emptyDir) ? NONE : [invalid(at, name, 'referenced volume must be of type emptyDir')];
  });
}
