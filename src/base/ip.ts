// IP addresses and networks, read as strictly as Go reads them; nothing here opens a socket.

export interface Address {
  readonly family: 4 | 6;
  readonly bits: bigint;
}

export interface Network {
  readonly address: Address;
  readonly prefixLength: number;
}

/** Undefined for anything else; zones (`%eth0`) and leading zeros are not accepted. */
export function parseAddress(text: string): Address | undefined {
  const bits = text.includes(':') ? parseSix(text) : parseFour(text);
  return bits === undefined ? undefined : { family: text.includes(':') ? 6 : 4, bits };
}

export function parseNetwork(text: string): Network | undefined {
  const [address = '', length = '', ...rest] = text.split('/');
  const parsed = parseAddress(address);
  if (parsed === undefined || rest.length > 0 || !/^(0|[1-9]\d{0,2})$/.test(length)) return undefined;
  const prefixLength = Number(length);
  return prefixLength > width(parsed) ? undefined : { address: parsed, prefixLength };
}

const width = ({ family }: Address): number => (family === 4 ? 32 : 128);

/** The address with its host bits cleared. */
export function masked({ address, prefixLength }: Network): Network {
  const hostBits = BigInt(width(address) - prefixLength);
  return { prefixLength, address: { ...address, bits: (address.bits >> hostBits) << hostBits } };
}

export function containsAddress(network: Network, address: Address): boolean {
  if (network.address.family !== address.family) return false;
  return masked({ address, prefixLength: network.prefixLength }).address.bits === masked(network).address.bits;
}

/** The canonical text: lower case, the longest run of zeros as `::`. */
export function addressText({ family, bits }: Address): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map(shift => (bits >> shift) & 255n).join('.');
  const groups = Array.from({ length: 8 }, (_, index) => ((bits >> BigInt(112 - index * 16)) & 0xffffn).toString(16));
  if (bits >> 32n === 0xffffn) return `::ffff:${addressText({ family: 4, bits: bits & 0xffffffffn })}`;
  const run = longestZeroRun(groups);
  if (run.length < 2) return groups.join(':');
  return `${groups.slice(0, run.start).join(':')}::${groups.slice(run.start + run.length).join(':')}`;
}

export const networkText = ({ address, prefixLength }: Network): string => `${addressText(address)}/${prefixLength}`;

function longestZeroRun(groups: readonly string[]): { readonly start: number; readonly length: number } {
  let best = { start: 0, length: 0 };
  let start = 0;
  for (const [index, group] of groups.entries()) {
    if (group !== '0') start = index + 1;
    else if (index - start + 1 > best.length) best = { start, length: index - start + 1 };
  }
  return best;
}

function parseFour(text: string): bigint | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every(part => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256))
    return undefined;
  return parts.reduce((bits, part) => (bits << 8n) | BigInt(part), 0n);
}

function parseSix(text: string): bigint | undefined {
  const [head = '', tail, ...rest] = text.split('::');
  // An IPv4 address may end the whole text, not its first half.
  if (rest.length > 0 || (tail !== undefined && head.includes('.'))) return undefined;
  const left = groupsOf(head);
  const right = tail === undefined ? [] : groupsOf(tail);
  if (left === undefined || right === undefined) return undefined;

  const missing = 8 - left.length - right.length;
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined;
  const groups = [...left, ...Array.from({ length: missing }, () => 0n), ...right];
  return groups.reduce((bits, group) => (bits << 16n) | group, 0n);
}

/** Groups of 16 bits; the last two may be written as an IPv4 address. */
function groupsOf(text: string): readonly bigint[] | undefined {
  if (text === '') return [];
  const parts = text.split(':');
  const last = parts.at(-1) ?? '';
  const four = last.includes('.') ? parseFour(last) : undefined;
  const hex = last.includes('.') ? parts.slice(0, -1) : parts;
  if ((last.includes('.') && four === undefined) || !hex.every(part => /^[0-9a-fA-F]{1,4}$/.test(part)))
    return undefined;
  const groups = hex.map(part => BigInt(`0x${part}`));
  return four === undefined ? groups : [...groups, four >> 16n, four & 0xffffn];
}
