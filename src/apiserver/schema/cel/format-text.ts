// `string.format`: the verbs %s %d %f %e %b %o %x %X, each fed by the next value.

/** Throws on a verb that does not fit its value, as CEL does. */
export function formatText(pattern: string, values: readonly unknown[]): string {
  let used = 0;
  const text = pattern.replaceAll(
    /%(?:%|(\.\d+)?([a-zA-Z]))/g,
    (whole, precision: string | undefined, verb: string | undefined) => {
      if (verb === undefined) return '%';
      if (used >= values.length) throw new Error(`index ${used} out of range`);
      const value = values[used];
      used += 1;
      return formatted(verb, value, precision === undefined ? 6 : Number(precision.slice(1)), whole);
    },
  );
  return text;
}

function formatted(verb: string, value: unknown, precision: number, whole: string): string {
  switch (verb) {
    case 's':
      return plain(value);
    case 'd':
      return integerText(value, 10, whole);
    case 'b':
      return typeof value === 'boolean' ? (value ? '1' : '0') : integerText(value, 2, whole);
    case 'o':
      return integerText(value, 8, whole);
    case 'x':
      return hexadecimal(value, whole);
    case 'X':
      return hexadecimal(value, whole).toUpperCase();
    case 'f':
      return Number(value).toFixed(precision);
    case 'e':
      return Number(value)
        .toExponential(precision)
        .replace(/e([+-])(\d)$/, 'e$10$2');
    default:
      throw new Error(`could not parse formatting clause: unrecognized formatting clause "${verb}"`);
  }
}

function integerText(value: unknown, base: number, verb: string): string {
  if (typeof value === 'bigint') return value.toString(base);
  throw new Error(`error during formatting: ${verb} cannot be used with a value that is no integer`);
}

function hexadecimal(value: unknown, verb: string): string {
  if (typeof value === 'string') return Buffer.from(value).toString('hex');
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  return integerText(value, 16, verb);
}

/** Lists and maps are written as CEL writes them. */
function plain(value: unknown): string {
  if (value === null) return 'null';
  if (value instanceof Date) return value.toISOString().replace('.000Z', 'Z');
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  if (Array.isArray(value)) return `[${value.map(plain).join(', ')}]`;
  if (value instanceof Map)
    return `{${[...value]
      .map(([key, child]) => `${plain(key)}: ${plain(child)}`)
      .sort()
      .join(', ')}}`;
  return String(value);
}
