// What the addresses of Services are kept as: each with its owner, in ranges of one family each.

import { parseNetwork } from '../../../base/ip.ts';
import type { Json, JsonObject } from '../../parts.ts';
import { invalid, required } from '../../schema/field-errors.ts';
import { isObject, listAt, objectAt, textAt } from '../json.ts';
import { NONE } from './fields.ts';
import { type Errors, subdomainErrors } from './texts.ts';

const MOST = 2;
const NO_NETWORK = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';

export function addressErrors(address: JsonObject): Errors {
  const { parentRef: parent } = objectAt(address, 'spec');
  const path = 'spec.parentRef';
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

export function serviceRangeErrors(range: JsonObject): Errors {
  const [path, ranges] = ['spec.cidrs', listAt(objectAt(range, 'spec'), 'cidrs')];
  if (ranges.length === 0) return [required(path, 'at least one CIDR required')];
  if (ranges.length > MOST) return [invalid(path, { CIDRs: ranges }, 'may only hold up to 2 values')];
  const families = ranges.map(familyOf);
  const isTwice = ranges.length === MOST && families[0] !== undefined && families[0] === families[1];
  const why = 'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64';
  const wrong = ranges.flatMap((each, index) =>
    familyOf(each) === undefined ? [invalid(`${path}[${index}]`, each, NO_NETWORK)] : NONE,
  );
  return isTwice ? [...wrong, invalid(path, ranges, why)] : wrong;
}

const familyOf = (range: Json): number | undefined => parseNetwork(String(range))?.address.family;
