// What a claim asks for: devices by names of its own, exactly these or the first of several, and what is told to their drivers.

import type { Json, JsonObject } from '../../parts.ts';
import { duplicate, forbidden, invalid, notSupported, required, tooMany } from '../../schema/field-errors.ts';
import { isObject, listAt, numberAt, objectAt, objectsAt, sameJson, textAt } from '../json.ts';
import { fullNameErrors } from './device-names.ts';
import { selectorsErrors } from './device-selectors.ts';
import { NONE } from './fields.ts';
import { type Errors, labelErrors, qualifiedNameErrors, subdomainErrors } from './texts.ts';

const [MOST, MOST_CHOICES] = [32, 8];
const MODES = ['All', 'ExactCount'];

function deviceErrors(path: string, devices: JsonObject): Errors {
  const names = namesOf(devices);
  return [
    ...listErrors(`${path}.requests`, objectsAt(devices, 'requests'), MOST, requestErrors),
    ...listErrors(`${path}.constraints`, objectsAt(devices, 'constraints'), MOST, (at, each) =>
      constraintErrors(at, each, names),
    ),
    ...listErrors(`${path}.config`, objectsAt(devices, 'config'), MOST, (at, each) => configErrors(at, each, names)),
  ];
}

/** Each request, and each choice in it as `request/choice`. */
function namesOf(devices: JsonObject): ReadonlySet<string> {
  const requests = objectsAt(devices, 'requests');
  return new Set(
    requests.flatMap(each => {
      const name = textAt(each, 'name');
      return [name, ...objectsAt(each, 'firstAvailable').map(choice => `${name}/${textAt(choice, 'name')}`)];
    }),
  );
}

type Check = (path: string, item: JsonObject) => Errors;

/** Names of a list are its own. */
function listErrors(path: string, list: readonly JsonObject[], most: number, check: Check): Errors {
  if (list.length > most) return [tooMany(path, list.length, most)];
  const seen = new Set<string>();
  return list.flatMap((item, index) => {
    const [at, name] = [`${path}[${index}]`, textAt(item, 'name')];
    const isTwice = name !== '' && seen.has(name);
    seen.add(name);
    return isTwice ? [duplicate(at, name)] : check(at, item);
  });
}

function requestErrors(path: string, request: JsonObject): Errors {
  const { exactly } = request;
  const choices = objectsAt(request, 'firstAvailable');
  const one = 'exactly one of `exactly` or `firstAvailable` is required';
  const names = labelErrors(`${path}.name`, textAt(request, 'name'));
  if (isObject(exactly) && choices.length > 0) {
    return [...names, invalid(path, null, `${one}, but multiple fields are set`)];
  }
  if (isObject(exactly)) return [...names, ...exactErrors(`${path}.exactly`, exactly)];
  if (choices.length === 0) return [...names, required(path, one)];
  return [
    ...names,
    ...listErrors(`${path}.firstAvailable`, choices, MOST_CHOICES, (at, choice) => [
      ...labelErrors(`${at}.name`, textAt(choice, 'name')),
      ...exactErrors(at, choice),
    ]),
  ];
}

function exactErrors(path: string, request: JsonObject): Errors {
  const name = textAt(request, 'deviceClassName');
  const at = `${path}.deviceClassName`;
  return [
    ...(name === '' ? [required(at)] : subdomainErrors(at, name)),
    ...selectorsErrors(`${path}.selectors`, request),
    ...countErrors(path, textAt(request, 'allocationMode'), numberAt(request, 'count')),
  ];
}

function countErrors(path: string, mode: string, count: number | undefined): Errors {
  if (mode === 'All') {
    const why = "must not be specified when allocationMode is 'All'";
    return count === undefined || count === 0 ? NONE : [invalid(`${path}.count`, count, why)];
  }
  if (mode !== 'ExactCount') return [notSupported(`${path}.allocationMode`, mode, MODES)];
  return (count ?? 0) <= 0 ? [invalid(`${path}.count`, count ?? 0, 'must be greater than zero')] : NONE;
}

function constraintErrors(path: string, constraint: JsonObject, names: ReadonlySet<string>): Errors {
  const { matchAttribute: match, distinctAttribute: distinct } = constraint;
  const one = 'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set';
  return [
    ...usedErrors(`${path}.requests`, listAt(constraint, 'requests').map(String), names),
    ...(match === undefined && distinct === undefined ? [required(path, one)] : NONE),
    ...(match === undefined ? NONE : fullNameErrors(`${path}.matchAttribute`, String(match))),
    ...(distinct === undefined ? NONE : fullNameErrors(`${path}.distinctAttribute`, String(distinct))),
  ];
}

function usedErrors(path: string, used: readonly string[], names: ReadonlySet<string>): Errors {
  const why = "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";
  return used.flatMap((name, index) => {
    const at = `${path}[${index}]`;
    if (used.indexOf(name) < index) return [duplicate(at, name)];
    return names.has(name) ? NONE : [invalid(at, name, why)];
  });
}

function configErrors(path: string, config: JsonObject, names: ReadonlySet<string>): Errors {
  return [
    ...usedErrors(`${path}.requests`, listAt(config, 'requests').map(String), names),
    ...opaqueErrors(`${path}.opaque`, config.opaque),
  ];
}

/** What only the driver understands. */
function opaqueErrors(path: string, opaque: Json | undefined): Errors {
  if (!isObject(opaque)) return [required(path)];
  const [driver, { parameters = null }] = [textAt(opaque, 'driver'), opaque];
  const none = invalid(`${path}.parameters`, '<value omitted>', 'must be a valid JSON object');
  return [
    ...(driver === '' ? [required(`${path}.driver`)] : subdomainErrors(`${path}.driver`, driver)),
    ...(parameters === null ? [required(`${path}.parameters`)] : isObject(parameters) ? NONE : [none]),
  ];
}

export function deviceClassErrors(deviceClass: JsonObject): Errors {
  const spec = objectAt(deviceClass, 'spec');
  const name = textAt(spec, 'extendedResourceName');
  const isExtended =
    name.includes('/') && !name.includes('kubernetes.io/') && qualifiedNameErrors('', name).length === 0;
  return [
    ...selectorsErrors('spec.selectors', spec),
    ...objectsAt(spec, 'config').flatMap((each, index) => opaqueErrors(`spec.config[${index}].opaque`, each.opaque)),
    ...(name === '' || isExtended
      ? NONE
      : [invalid('spec.extendedResourceName', name, 'must be a valid extended resource name')]),
  ];
}

export function deviceClaimErrors(claim: JsonObject, old: JsonObject | undefined, part: string): Errors {
  if (part === 'status') return statusErrors(objectAt(claim, 'status'));
  const spec = objectAt(claim, 'spec');
  if (old === undefined) return deviceErrors('spec.devices', objectAt(spec, 'devices'));
  return sameJson(spec, objectAt(old, 'spec')) ? NONE : [invalid('spec', shownClaim(spec), 'field is immutable')];
}

function statusErrors(status: JsonObject): Errors {
  const isReserved = listAt(status, 'reservedFor').length > 0 && !isObject(status.allocation);
  return isReserved ? [forbidden('status.reservedFor', 'may not be specified when `allocated` is not set')] : NONE;
}

export function deviceTemplateErrors(template: JsonObject, old: JsonObject | undefined): Errors {
  const spec = objectAt(template, 'spec');
  const inner = objectAt(spec, 'spec');
  if (old === undefined) return deviceErrors('spec.spec.devices', objectAt(inner, 'devices'));
  if (sameJson(spec, objectAt(old, 'spec'))) return NONE;
  return [invalid('spec', { ...shownMetadata(spec), Spec: shownClaim(inner) }, 'field is immutable')];
}

const shownMetadata = ({ metadata }: JsonObject): JsonObject => (isObject(metadata) ? metadata : {});

/** Kubernetes shows a claim as its own code has it. */
function shownClaim(spec: JsonObject): JsonObject {
  const devices = objectAt(spec, 'devices');
  const { constraints = null, config = null } = devices;
  const requests = objectsAt(devices, 'requests').map(({ name = '', exactly, firstAvailable = null }) => ({
    Name: name,
    Exactly: isObject(exactly) ? shownRequest(exactly) : null,
    FirstAvailable: firstAvailable,
  }));
  return {
    Devices: { Requests: requests.length === 0 ? null : requests, Constraints: constraints, Config: config },
  };
}

const shownRequest = (request: JsonObject): JsonObject => ({
  DeviceClassName: textAt(request, 'deviceClassName'),
  Selectors: request.selectors ?? null,
  AllocationMode: textAt(request, 'allocationMode'),
  Count: numberAt(request, 'count') ?? 0,
  AdminAccess: request.adminAccess ?? null,
  Tolerations: request.tolerations ?? null,
  Capacity: request.capacity ?? null,
});
