// Numbers in YAML, as Go writes them: whole ones as they are, others in as few digits as tell them apart.

/** As far as Go has whole numbers. */
const [LEAST, BEYOND] = [-(2 ** 63), 2 ** 64];
/** From a million on, what has parts of a whole is written with its power of ten. */
const POWERS = 6;

export function numberText(value: number): string {
  if (Number.isInteger(value) && value >= LEAST && value < BEYOND) return String(BigInt(value));
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < POWERS) return String(value);
  return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}
