// What an IP address is: its family and its number, how it is read from text, and the one way it is written.

export type Family = 4 | 6;

export interface Address {
  readonly family: Family;
  readonly value: bigint;
}

const BITS: Readonly<Record<Family, number>> = { 4: 32, 6: 128 };

export const bitsOf = (family: Family): number => BITS[family];

/** The highest number of a family. */
export const highestOf = (family: Family): bigint => (1n << BigInt(BITS[family])) - 1n;

const DECIMAL = /^(?:0|[1-9]\d{0,2})$/;
const HEX = /^[0-9a-f]{1,4}$/i;
const MAPPED = 0xffffn << 32n;

/** Reads an address; undefined when the text is none. IPv4 written as IPv6 (`::ffff:10.0.0.1`) is IPv4. */
export function parseAddress(text: string): Address | undefined {
  if (!text.includes(':')) {
    const value = parseV4(text);
    return value === undefined ? undefined : { family: 4, value };
  }
  const value = parseV6(text);
  if (value === undefined) return undefined;
  return value >> 32n === MAPPED >> 32n ? { family: 4, value: value & 0xffffffffn } : { family: 6, value };
}

function parseV4(text: string): bigint | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every(part => DECIMAL.test(part) && Number(part) <= 255)) return undefined;
  return BigInt(parts.reduce((sum, part) => sum * 256 + Number(part), 0));
}

function parseV6(text: string): bigint | undefined {
  const halves = text.split('::');
  // An IPv4 address may end the whole text, not its first half.
  if (halves.length > 2 || (halves.length === 2 && halves[0]?.includes('.'))) return undefined;
  const [left, right] = halves.map(groupsOf);
  if (left === undefined || (halves.length === 2 && right === undefined)) return undefined;
  const missing = 8 - left.length - (right?.length ?? 0);
  if (right === undefined ? missing !== 0 : missing < 1) return undefined;
  const groups = [...left, ...Array.from({ length: missing }, () => 0), ...(right ?? [])];
  return groups.reduce((sum, group) => (sum << 16n) | BigInt(group), 0n);
}

/** The 16-bit groups of one side of `::`; the last may be an IPv4 address. */
function groupsOf(text: string): number[] | undefined {
  if (text === '') return [];
  const parts = text.split(':');
  const last = parts.at(-1) ?? '';
  const embedded = last.includes('.') ? parseV4(last) : undefined;
  if (last.includes('.') && embedded === undefined) return undefined;
  const hex = embedded === undefined ? parts : parts.slice(0, -1);
  if (!hex.every(part => HEX.test(part))) return undefined;
  const tail = embedded === undefined ? [] : [Number(embedded >> 16n), Number(embedded & 0xffffn)];
  return [...hex.map(part => Number.parseInt(part, 16)), ...tail];
}

/** The canonical text (https://www.rfc-editor.org/rfc/rfc5952): lower case, the longest run of zeros left out. */
export function addressText({ family, value }: Address): string {
  return family === 4 ? [24n, 16n, 8n, 0n].map(shift => (value >> shift) & 255n).join('.') : textOfV6(value);
}

function textOfV6(value: bigint): string {
  const groups = Array.from({ length: 8 }, (_, at) => Number((value >> BigInt(112 - 16 * at)) & 0xffffn));
  const hex = groups.map(group => group.toString(16));
  const { at, length } = longestZeros(groups);
  if (length < 2) return hex.join(':');
  return `${hex.slice(0, at).join(':')}::${hex.slice(at + length).join(':')}`;
}

function longestZeros(groups: readonly number[]): { at: number; length: number } {
  let best = { at: 0, length: 0 };
  let length = 0;
  for (const [index, group] of groups.entries()) {
    length = group === 0 ? length + 1 : 0;
    if (length > best.length) best = { at: index - length + 1, length };
  }
  return best;
}

/** The canonical text of an address that was written in any way; undefined when it is none. */
export function canonicalText(text: string): string | undefined {
  const address = parseAddress(text);
  return address === undefined ? undefined : addressText(address);
}
