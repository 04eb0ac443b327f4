// How a number is written: whole ones in full where 64 bits hold them, others as short as they can be read back.

const SMALLEST = -(2n ** 63n);
const LARGEST = 2n ** 64n - 1n;
/** The first exponents that are written as such. */
const [TOO_SMALL, TOO_LARGE] = [-5, 6];

/** `value` is finite. */
export function formatNumber(value: number): string {
  // A number's text, not its exact value, is what travels as JSON.
  const text = String(value);
  if (/^-?[0-9]+$/.test(text) && fitsInteger(BigInt(text))) return text;
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e');
  const isPlain = Number(exponent) > TOO_SMALL && Number(exponent) < TOO_LARGE;
  return isPlain ? text : withExponent(mantissa, exponent);
}

const fitsInteger = (whole: bigint): boolean => whole >= SMALLEST && whole <= LARGEST;

/** The exponent has a sign and two digits at least. */
function withExponent(mantissa: string, exponent: string): string {
  const sign = exponent.startsWith('-') ? '-' : '+';
  return `${mantissa}e${sign}${exponent.slice(1).padStart(2, '0')}`;
}
