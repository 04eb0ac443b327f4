// The types of what functions answer, as far as the estimate asks.

import type { CelType } from './declared.ts';
import { DYN, type Seen } from './seen.ts';

const of = (kind: string): CelType => ({ kind });
const STRING = of('string');

const named = (names: string, type: CelType): readonly (readonly [string, CelType])[] =>
  names.split(' ').map(name => [name, type] as const);

const TYPES: ReadonlyMap<string, CelType> = new Map([
  ...named('string lowerAscii upperAscii trim substring replace join charAt format strings.quote find', STRING),
  ...named('getScheme getHost getHostname getPort getEscapedPath', STRING),
  ...named('split findAll', { kind: 'list', item: STRING }),
  ...named('getQuery', { kind: 'map', key: STRING, item: { kind: 'list', item: STRING } }),
  ...named('size int indexOf lastIndexOf asInteger compareTo sign major minor patch prefixLength family', of('int')),
  ...named('getFullYear getMonth getDayOfYear getDayOfMonth getDate getDayOfWeek getHours getMinutes', of('int')),
  ...named('getSeconds getMilliseconds', of('int')),
  ...named('double asApproximateFloat', of('double')),
  ...named('uint', of('uint')),
  ...named('bytes', of('bytes')),
  ...named('timestamp', of('timestamp')),
  ...named('duration', of('duration')),
  ...named('bool matches contains startsWith endsWith hasValue isSorted containsIP containsCIDR', of('bool')),
  ...named('isQuantity isURL isIP isCIDR isSemver isInteger isGreaterThan isLessThan isLoopback', of('bool')),
  ...named('isUnspecified isLinkLocalUnicast isLinkLocalMulticast isGlobalUnicast ip.isCanonical', of('bool')),
  ...named('sets.contains sets.intersects sets.equivalent', of('bool')),
  ...named('quantity add sub', of('quantity')),
  ...named('url', of('url')),
  ...named('ip', of('ip')),
  ...named('cidr masked', of('cidr')),
  ...named('semver', of('semver')),
  ...named('type', of('type')),
]);

/** Functions that answer one of what the list or the optional holds. */
const OF_ITEM: ReadonlySet<string> = new Set(['min', 'max', 'sum', 'value', 'orValue']);

/** Functions that answer a list of the same. */
const SAME_LIST: ReadonlySet<string> = new Set(['slice', 'distinct', 'reverse', 'sort']);

export function resultType(name: string, target: Seen | undefined, [first]: readonly Seen[]): CelType {
  if (OF_ITEM.has(name)) return target?.type.item ?? DYN;
  if (SAME_LIST.has(name)) return target?.type ?? DYN;
  if (name === 'lists.range') return { kind: 'list', item: of('int') };
  if (name === 'flatten') return target?.type.item ?? DYN;
  if (name === 'dyn') return first?.type ?? DYN;
  return TYPES.get(name) ?? DYN;
}
