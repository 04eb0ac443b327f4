// Durations as Go reads them, `1h15m30.9s`, and what it says of those that are none.

const UNITS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};
const LARGEST = 2n ** 63n;

/** A number and its unit. */
const PART = /^(\d*)(\.\d*)?([^.\d]*)/;

/** Undefined: it is one. */
export function goDurationProblem(text: string): string | undefined {
  const unsigned = text.replace(/^[-+]/, '');
  if (unsigned === '0') return undefined;
  let total = 0n;
  let rest = unsigned;
  do {
    const part = partOf(rest);
    if (typeof part === 'string') return `time: ${part}duration ${quoted(text)}`;
    total += part.nanoseconds;
    if (total > LARGEST) return `time: ${INVALID}duration ${quoted(text)}`;
    rest = rest.slice(part.length);
  } while (rest !== '');
  return undefined;
}

const INVALID = 'invalid ';

/** The first part, or what is wrong with it. */
function partOf(text: string): string | { readonly nanoseconds: bigint; readonly length: number } {
  const [all = '', whole = '', fraction = '.', unit = ''] = PART.exec(text) ?? [];
  if (whole === '' && fraction === '.') return INVALID;
  if (unit === '') return 'missing unit in ';
  const scale = Object.hasOwn(UNITS, unit) ? UNITS[unit] : undefined;
  if (scale === undefined) return `unknown unit ${quoted(unit)} in `;
  return { nanoseconds: BigInt(whole === '' ? 0 : whole) * scale, length: all.length };
}

/** Byte by byte where a byte is no letter of ASCII. */
const quoted = (text: string): string => {
  const shown = [...new TextEncoder().encode(text)].map(byte => {
    const letter = String.fromCharCode(byte);
    if (letter === '"' || letter === '\\') return `\\${letter}`;
    return byte < 0x20 || byte >= 0x80 ? `\\x${byte.toString(16).padStart(2, '0')}` : letter;
  });
  return `"${shown.join('')}"`;
};
