// ResourceSlices: which devices a driver has, and where they can be used.

import type { Json, JsonObject } from '../../parts.ts';
import { duplicate, invalid, required, tooLong, tooMany } from '../../schema/field-errors.ts';
import { isObject, numberAt, objectAt, objectsAt, textAt } from '../json.ts';
import { deviceNameErrors } from './device-names.ts';
import { NONE } from './fields.ts';
import { type Errors, labelErrors, subdomainErrors } from './texts.ts';

const MOST_DEVICES = 128;
const MAX_VALUE_BYTES = 64;
/** https://semver.org, version 2.0.0. */
const SEMVER =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-(0|[1-9]\d*|\d*[A-Za-z-][\dA-Za-z-]*)(\.(0|[1-9]\d*|\d*[A-Za-z-][\dA-Za-z-]*))*)?(\+[\dA-Za-z-]+(\.[\dA-Za-z-]+)*)?$/;

export function resourceSliceErrors(slice: JsonObject): Errors {
  const spec = objectAt(slice, 'spec');
  return [
    ...namedErrors('spec.driver', textAt(spec, 'driver')),
    ...poolErrors(objectAt(spec, 'pool')),
    ...placeErrors(spec),
    ...devicesErrors(objectsAt(spec, 'devices')),
  ];
}

const namedErrors = (path: string, name: string): Errors =>
  name === '' ? [required(path)] : subdomainErrors(path, name);

function poolErrors(pool: JsonObject): Errors {
  const [count, generation] = [numberAt(pool, 'resourceSliceCount') ?? 0, numberAt(pool, 'generation') ?? 0];
  return [
    ...namedErrors('spec.pool.name', textAt(pool, 'name')),
    ...(count > 0 ? NONE : [invalid('spec.pool.resourceSliceCount', count, 'must be greater than zero')]),
    ...(generation < 0 ? [invalid('spec.pool.generation', generation, 'must be greater than or equal to zero')] : NONE),
  ];
}

const PLACES = ['nodeName', 'nodeSelector', 'allNodes', 'perDeviceNodeSelection'];

/** Where the devices can be used is said in one of these ways. */
function placeErrors(spec: JsonObject): Errors {
  const one = `exactly one of ${PLACES.map(place => `\`${place}\``).join(', ')} is required`;
  const said = PLACES.filter(place => spec[place] !== undefined && spec[place] !== false && spec[place] !== '');
  const names = textAt(spec, 'nodeName') === '' ? NONE : subdomainErrors('spec.nodeName', textAt(spec, 'nodeName'));
  if (said.length === 1) return names;
  if (said.length === 0) return [required('spec', one)];
  const shown = `{${said.map(place => `\`${place}\``).join(', ')}}`;
  return [...names, invalid('spec', shown, `${one}, but multiple fields are set`)];
}

function devicesErrors(devices: readonly JsonObject[]): Errors {
  if (devices.length > MOST_DEVICES) return [tooMany('spec.devices', devices.length, MOST_DEVICES)];
  const seen = new Set<string>();
  return devices.flatMap((device, index) => {
    const [at, name] = [`spec.devices[${index}]`, textAt(device, 'name')];
    if (seen.has(name)) return [duplicate(at, name)];
    seen.add(name);
    return deviceErrors(at, device, name);
  });
}

function deviceErrors(path: string, device: JsonObject, name: string): Errors {
  return [
    ...labelErrors(`${path}.name`, name),
    ...Object.entries(objectAt(device, 'attributes')).flatMap(([key, value]) => [
      ...deviceNameErrors(`${path}.attributes`, key),
      ...attributeErrors(`${path}.attributes[${key}]`, isObject(value) ? value : {}),
    ]),
    ...Object.keys(objectAt(device, 'capacity')).flatMap(key => deviceNameErrors(`${path}.capacity`, key)),
  ];
}

const KINDS = ['int', 'bool', 'string', 'version'] as const;
const LISTS = ['ints', 'bools', 'strings', 'versions'];

function attributeErrors(path: string, attribute: JsonObject): Errors {
  const said = [...KINDS, ...LISTS].filter(kind => attribute[kind] !== undefined);
  if (said.length !== 1) {
    return [invalid(path, said.length === 0 ? '' : shownAttribute(attribute), 'exactly one value must be specified')];
  }
  const [text, version] = [textAt(attribute, 'string'), attribute.version];
  const why = 'must be a string compatible with semver.org spec 2.0.0';
  return [
    ...(Buffer.byteLength(text) > MAX_VALUE_BYTES ? [tooLong(`${path}.string`, MAX_VALUE_BYTES)] : NONE),
    ...(typeof version === 'string' ? versionErrors(`${path}.version`, version, why) : NONE),
  ];
}

function versionErrors(path: string, version: string, why: string): Errors {
  if (!SEMVER.test(version)) return [invalid(path, version, why)];
  return version.length > MAX_VALUE_BYTES ? [tooLong(path, MAX_VALUE_BYTES)] : NONE;
}

/** Kubernetes shows it as its own code has it. */
function shownAttribute(attribute: JsonObject): JsonObject {
  const value = (kind: string): Json => attribute[kind] ?? null;
  return {
    IntValue: value('int'),
    BoolValue: value('bool'),
    StringValue: value('string'),
    VersionValue: value('version'),
    IntValues: value('ints'),
    BoolValues: value('bools'),
    StringValues: value('strings'),
    VersionValues: value('versions'),
  };
}
