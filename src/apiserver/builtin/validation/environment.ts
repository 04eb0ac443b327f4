// What an environment variable must be: named, with a value or with one source.

import type { Json, JsonObject } from '../../parts.ts';
import { invalid, notFound, notSupported, required } from '../../schema/field-errors.ts';
import { isObject, objectsAt, textAt } from '../json.ts';
import { canonicalQuantity, nanoOf } from '../quantity.ts';
import { type Check, type Checks, fieldErrors, NONE, ofEach, ofObject } from './fields.ts';
import { stayingErrors } from './paths.ts';
import type { ContainerView } from './pod-view.ts';
import { configKeyErrors, type Errors, labelErrors, qualifiedNameErrors, subdomainErrors } from './texts.ts';

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
/** Fields that exist, though not for variables. */
const OTHER_FIELDS = new Set([
  'metadata.annotations',
  'metadata.labels',
  'spec.restartPolicy',
  'spec.schedulerName',
  'status.phase',
]);
const RESOURCES = ['cpu', 'ephemeral-storage', 'memory'].map(name => `limits.${name}`);
const ALL_RESOURCES = [...RESOURCES, ...RESOURCES.map(name => name.replace('limits', 'requests'))];
const HUGE = /^(limits|requests)\.hugepages-/;
const SIZES = [
  '1',
  ...['', 'i'].flatMap(of => [...'kMGTPE'].map(sign => `1${of === '' ? sign : sign.toUpperCase()}${of}`)),
];

const SOURCES: Checks<unknown> = [
  ['fieldRef', ofObject(fieldErrorsOf)],
  ['resourceFieldRef', ofObject(resourceFieldErrors)],
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

const SUBSCRIPTED = /^(.+)\['(.*)'\]$/;

function fieldErrorsOf(path: string, reference: JsonObject): Errors {
  const [at, field, version] = [`${path}.fieldPath`, textAt(reference, 'fieldPath'), textAt(reference, 'apiVersion')];
  if (version === '') return [required(`${path}.apiVersion`)];
  if (field === '') return [required(at)];
  if (version !== 'v1') return unconvertible(at, field, `unsupported pod version: ${version}`);
  const [, holder, subscript] = SUBSCRIPTED.exec(field) ?? [];
  if (holder !== undefined && subscript !== undefined) return subscriptErrors(path, holder, subscript);
  if (FIELDS.includes(field) || field === 'spec.host') return NONE;
  if (OTHER_FIELDS.has(field)) return [notSupported(at, field, FIELDS)];
  return unconvertible(at, field, `field label not supported: ${field}`);
}

function subscriptErrors(path: string, holder: string, subscript: string): Errors {
  if (holder === 'metadata.labels') return qualifiedNameErrors(path, subscript);
  if (holder === 'metadata.annotations') return qualifiedNameErrors(path, subscript.toLowerCase());
  const field = `${holder}['${subscript}']`;
  return unconvertible(`${path}.fieldPath`, field, `field label does not support subscript: ${field}`);
}

const unconvertible = (path: string, field: string, why: string): Errors => [
  invalid(path, field, `error converting fieldPath: ${why}`),
];

function resourceFieldErrors(path: string, reference: JsonObject): Errors {
  const [at, name, divisor] = [`${path}.resource`, textAt(reference, 'resource'), textAt(reference, 'divisor')];
  const isKnown = ALL_RESOURCES.includes(name) || HUGE.test(name);
  return [
    ...(name === '' ? [required(at)] : isKnown ? NONE : [notSupported(at, name, ALL_RESOURCES)]),
    ...divisorErrors(`${path}.divisor`, name, divisor),
  ];
}

/** The real server shows the resource where the divisor is wrong. */
function divisorErrors(path: string, name: string, divisor: string): Errors {
  if ((nanoOf(divisor) ?? 0n) === 0n) return NONE;
  const [canonical, of] = [canonicalQuantity(divisor) ?? '', name.replace(/^(limits|requests)\./, '')];
  if (of === 'cpu') {
    const why = "only divisor's values 1m and 1 are supported with the cpu resource";
    return canonical === '1' || canonical === '1m' ? NONE : [invalid(path, name, why)];
  }
  const kind = SIZED[of] ?? (HUGE.test(name) ? 'hugepages' : undefined);
  if (kind === undefined || SIZES.includes(canonical)) return NONE;
  return [invalid(path, name, `only divisor's values ${SIZES.join(', ')} are supported with the ${kind} resource`)];
}

const SIZED: Readonly<Record<string, string>> = { memory: 'memory', 'ephemeral-storage': 'local ephemeral storage' };

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
