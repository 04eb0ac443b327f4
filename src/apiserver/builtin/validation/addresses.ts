// What the addresses of Services are kept as: each with its owner, in ranges of one family each.

import { parseNetwork } from '../../../base/ip.ts';
import type { Json, JsonObject } from '../../parts.ts';
import { invalid, required } from '../../schema/field-errors.ts';
import { isObject, listAt, objectAt, sameJson, textAt } from '../json.ts';
import { canonicalNetworkErrors } from './canonical-addresses.ts';
import { NONE } from './fields.ts';
import { type Errors, subdomainErrors } from './texts.ts';

const MOST = 2;

export function addressErrors(address: JsonObject, old: JsonObject | undefined): Errors {
  const { parentRef: parent = null } = objectAt(address, 'spec');
  const { parentRef: before = null } = old === undefined ? { parentRef: parent } : objectAt(old, 'spec');
  const moved = sameJson(parent, before) ? NONE : [invalid('spec.parentRef', shown(parent), 'field is immutable')];
  return [...parentErrors('spec.parentRef', parent), ...moved];
}

/** Kubernetes shows a parent as its own code has it. */
function shown(parent: Json): Json {
  if (!isObject(parent)) return null;
  const of = (key: string): string => textAt(parent, key);
  return { Group: of('group'), Resource: of('resource'), Namespace: of('namespace'), Name: of('name') };
}

function parentErrors(path: string, parent: Json): Errors {
  if (!isObject(parent)) return [required(path)];
  const group = textAt(parent, 'group');
  return [
    ...(group === '' ? NONE : subdomainErrors(`${path}.group`, group)),
    ...['resource', 'name'].flatMap(key =>
      textAt(parent, key) === '' ? [required(`${path}.${key}`)] : segmentErrors(`${path}.${key}`, textAt(parent, key)),
    ),
    ...segmentErrors(`${path}.namespace`, textAt(parent, 'namespace')),
  ];
}

/** It becomes a part of a path. */
function segmentErrors(path: string, name: string): Errors {
  if (name === '.' || name === '..') return [invalid(path, name, `may not be '${name}'`)];
  return ['/', '%'].filter(sign => name.includes(sign)).map(sign => invalid(path, name, `may not contain '${sign}'`));
}

export function serviceRangeErrors(range: JsonObject, old: JsonObject | undefined, part: string): Errors {
  if (part === 'status') return NONE;
  return old === undefined ? rangesErrors(range) : movedErrors(range, old);
}

/** A family may be added behind the one that is there. */
function movedErrors(range: JsonObject, old: JsonObject): Errors {
  const [next, before] = [range, old].map(each => listAt(objectAt(each, 'spec'), 'cidrs'));
  const [ranges, had] = [next ?? [], before ?? []];
  const path = 'spec.cidrs';
  const isGrown = had.length === 1 && ranges.length === MOST;
  if (ranges.length !== had.length && !isGrown) {
    return [invalid(path, ranges.length === 0 ? null : ranges, 'field is immutable')];
  }
  const moved = had.flatMap((each, index) =>
    ranges[index] === each ? NONE : [invalid(`${path}[${index}]`, ranges[index] ?? null, 'field is immutable')],
  );
  return [...moved, ...(isGrown ? rangesErrors(range) : NONE)];
}

function rangesErrors(range: JsonObject): Errors {
  const [path, ranges] = ['spec.cidrs', listAt(objectAt(range, 'spec'), 'cidrs')];
  if (ranges.length === 0) return [required(path, 'at least one CIDR required')];
  if (ranges.length > MOST) return [invalid(path, { CIDRs: ranges }, 'may only hold up to 2 values')];
  const families = ranges.map(familyOf);
  const isTwice = ranges.length === MOST && families[0] !== undefined && families[0] === families[1];
  const why = 'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64';
  const wrong = ranges.flatMap((each, index) => canonicalNetworkErrors(`${path}[${index}]`, String(each)));
  return isTwice ? [...wrong, invalid(path, ranges, why)] : wrong;
}

const familyOf = (range: Json): number | undefined => parseNetwork(String(range))?.address.family;
