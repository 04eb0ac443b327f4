// What a call of a function costs besides its arguments, and how large its value gets: by Kubernetes' own table, then CEL's.

import { fixed, ONE, product, type Range, scaled, sum, UNKNOWN, union } from './range.ts';
import { type Entry, isText, type Seen, sizeOf, unionOfEntries } from './seen.ts';

export interface Called {
  readonly cost: Range;
  readonly size?: Range;
  readonly entry?: Entry | undefined;
}

/** `item` is what is known of the elements of the target, when it is a list or a map. */
export interface Calling {
  readonly target: Seen | undefined;
  readonly args: readonly Seen[];
  readonly itemSize: () => Range;
}

type Rule = (calling: Calling) => Called | undefined;

/** Reading a text once, per character; and a regular expression, per character of it. */
const READ = 0.1;
const REGEX = 0.25;
/** The longest regular expression behind a named format. */
const FORMAT_REGEX = 128;

const cheap: Rule = () => ({ cost: ONE });
const readsFirst: Rule = ({ args: [first] }) =>
  first === undefined ? undefined : { cost: scaled(sizeOf(first), READ) };
const readsTarget: Rule = ({ target }) =>
  target === undefined ? undefined : { cost: scaled(sizeOf(target), READ), size: sizeOf(target) };

const overList: Rule = ({ target, itemSize }) => {
  if (target === undefined) return undefined;
  const { item, key } = target.type;
  const element = key ?? item;
  if (element === undefined) return { cost: scaled(sizeOf(target), READ) };
  const each = isText(element) ? sum(ONE, scaled(itemSize(), READ)) : ONE;
  return { cost: product(sizeOf(target), each) };
};

const regexOn = (text: Range, regex: Range): Range => product(scaled(sum(text, ONE), READ), scaled(regex, REGEX));

const finds: Rule = ({ target, args: [regex] }) => {
  if (target === undefined || regex === undefined) return undefined;
  return { cost: regexOn(sizeOf(target), sizeOf(regex)), size: { min: 0, max: sizeOf(target).max } };
};

const splits: Rule = ({ target, args: [, limit] }) => {
  if (target === undefined) return undefined;
  const most = typeof limit?.literal === 'bigint' ? Number(limit.literal) : sizeOf(target).max;
  return { cost: scaled(sizeOf(target), 2 * READ), size: { min: 0, max: most < 0 ? UNKNOWN.max : most } };
};

const joins: Rule = ({ target, args: [separator], itemSize }) => {
  if (target === undefined) return undefined;
  const list = sizeOf(target);
  const texts = target.type.item === undefined ? { min: 0, max: 0 } : product(list, itemSize());
  const gaps = { min: Math.max(0, list.min - 1), max: Math.max(0, list.max - 1) };
  const size = separator === undefined ? texts : sum(texts, product(sizeOf(separator), gaps));
  return { cost: scaled(size, READ), size };
};

const replaces: Rule = ({ target, args: [from, to] }) => {
  if (target === undefined || from === undefined || to === undefined) return undefined;
  const text = sizeOf(target);
  const most = replaced(text.max, sizeOf(from).min, sizeOf(to).max, (was, becomes) => becomes <= was);
  const least = replaced(text.min, sizeOf(from).max, sizeOf(to).min, (was, becomes) => was <= becomes);
  return { cost: scaled(text, 2 * READ), size: sum({ min: least, max: most }) };
};

/** An empty text stands around each character; texts that do not get longer (or shorter) count as they were. */
function replaced(length: number, from: number, to: number, stays: (was: number, becomes: number) => boolean): number {
  if (from === 0) return (length + 1) * to + length;
  return stays(from, to) ? length : Math.ceil(length / from) * to;
}

const ADDRESS = { min: 4, max: 16 };
const contains =
  (isNetwork: boolean): Rule =>
  ({ args: [other] }) => {
    if (other === undefined) return undefined;
    const bytes = scaled(sum(ADDRESS, ADDRESS), READ);
    const masked = isNetwork ? sum(scaled(ADDRESS, READ), ONE) : { min: 0, max: 0 };
    const parsed = other.type.kind === 'string' ? scaled(sizeOf(other), READ) : { min: 0, max: 0 };
    return { cost: sum(bytes, masked, parsed) };
  };

const validates: Rule = ({ args: [text] }) =>
  text === undefined ? undefined : { cost: scaled(scaled(sizeOf(text), READ), FORMAT_REGEX * REGEX) };

const ofSets =
  (factor: number): Rule =>
  ({ args: [a, b] }) =>
    a === undefined || b === undefined ? undefined : { cost: sum(scaled(product(sizeOf(a), sizeOf(b)), factor), ONE) };

/** A new list, each entry of which is copied. */
const allocated = (entries: Range): Called => ({ cost: sum(fixed(11), entries), size: entries });

const copies: Rule = ({ target }) => (target === undefined ? undefined : allocated(sizeOf(target)));

const slices: Rule = ({ args: [start, end] }) => {
  const known = [start, end].map(each => (typeof each?.literal === 'bigint' ? Number(each.literal) : undefined));
  const [from = 0, to = UNKNOWN.max] = known;
  return allocated({ min: 0, max: to - from });
};

const ranges: Rule = ({ args: [length] }) =>
  allocated(typeof length?.literal === 'bigint' ? fixed(Number(length.literal)) : UNKNOWN);

/** Each is compared with each; the estimate has as many results as comparisons. */
const comparesAll: Rule = ({ target }) => {
  if (target === undefined) return undefined;
  const size = product(sizeOf(target), sizeOf(target));
  return { cost: sum(fixed(11), product(size, fixed(2))), size };
};

const sorts: Rule = call => {
  const compared = comparesAll(call);
  const item = call.target?.type.item;
  if (compared?.size === undefined || item === undefined || !isText(item)) return compared;
  return { cost: sum(fixed(11), scaled(compared.size, 2 + READ)), size: compared.size };
};

const named = (names: string, rule: Rule): readonly (readonly [string, Rule])[] =>
  names.split(' ').map(name => [name, rule] as const);

const RULES: ReadonlyMap<string, Rule> = new Map([
  ...named('isSorted sum max min indexOf lastIndexOf', overList),
  ...named('reverse flatten', copies),
  ...named('slice', slices),
  ...named('lists.range', ranges),
  ...named('distinct', comparesAll),
  ...named('sort', sorts),
  ...named('url', call => ({
    ...(readsFirst(call) ?? { cost: ONE }),
    size: sizeOf(call.args[0] ?? { size: undefined }),
  })),
  ...named('lowerAscii upperAscii substring trim', readsTarget),
  ...named('replace', replaces),
  ...named('split', splits),
  ...named('join', joins),
  ...named('find findAll', finds),
  ...named('cidr isIP isCIDR quantity isQuantity semver isSemver', readsFirst),
  ...named('ip', call => (call.target === undefined ? readsFirst(call) : cheap(call))),
  ...named('ip.isCanonical', ({ args: [text] }) =>
    text === undefined ? undefined : { cost: scaled(sizeOf(text), 2 * READ) },
  ),
  ...named('containsIP', contains(false)),
  ...named('containsCIDR', contains(true)),
  ...named('validate', validates),
  ...named('sets.contains sets.intersects', ofSets(1)),
  ...named('sets.equivalent', ofSets(2)),
  ...named('format', ({ target }) => (target === undefined ? undefined : { cost: scaled(sizeOf(target), READ) })),
  ...named('strings.quote', ({ args: [text] }) => {
    if (text === undefined) return undefined;
    const { min, max } = sizeOf(text);
    return { cost: scaled(sizeOf(text), READ), size: { min: min + 2, max: max * 2 + 2 } };
  }),
  ...named('bytes', ({ args: [text] }) => {
    if (text?.type.kind !== 'string') return undefined;
    const { min, max } = sizeOf(text);
    return { cost: scaled(sizeOf(text), READ), size: { min, max: max * 4 } };
  }),
  ...named('string', ({ args: [bytes] }) => {
    if (bytes?.type.kind !== 'bytes') return undefined;
    const { min, max } = sizeOf(bytes);
    return { cost: scaled(sizeOf(bytes), READ), size: { min: Math.floor(min / 4), max } };
  }),
  ...named('startsWith endsWith', readsFirst),
  ...named('matches', ({ target, args: [first, second] }) => {
    const [text, regex] = target === undefined ? [first, second] : [target, first];
    return text === undefined || regex === undefined ? undefined : { cost: regexOn(sizeOf(text), sizeOf(regex)) };
  }),
  ...named('contains', ({ target, args: [part] }) =>
    target === undefined || part === undefined
      ? undefined
      : { cost: product(scaled(sizeOf(target), READ), scaled(sizeOf(part), READ)) },
  ),
]);

/** Whatever is not in the table costs one. */
export const calledCost = (name: string, calling: Calling): Called => RULES.get(name)?.(calling) ?? { cost: ONE };

const CHEAPLY_EQUAL: ReadonlySet<string> = new Set(['ip', 'cidr', 'quantity', 'semver']);

/** As long as the shorter one is. */
export function comparedCost(a: Seen, b: Seen): Range {
  if (a.type.kind === b.type.kind && CHEAPLY_EQUAL.has(a.type.kind)) return ONE;
  const most = Math.min(sizeOf(a).max, sizeOf(b).max);
  return scaled({ min: most > 0 ? 1 : 0, max: most }, READ);
}

/** Texts are copied, lists are not. */
export function addedCost(a: Seen, b: Seen): Called {
  const kinds = [a.type.kind, b.type.kind];
  const size = sum(sizeOf(a), sizeOf(b));
  const entry = unionOfEntries(a.entry, b.entry);
  if (kinds.includes('list')) return { cost: ONE, size, entry };
  const mayBeText = isText(a.type) || isText(b.type) || kinds.every(kind => kind === 'dyn');
  if (!mayBeText) return { cost: ONE };
  const copied = scaled(size, READ);
  return { cost: isText(a.type) || isText(b.type) ? copied : union(copied, ONE), size, entry };
}
