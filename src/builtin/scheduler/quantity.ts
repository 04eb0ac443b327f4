// Kubernetes quantities as numbers: `500m` is 0.5, `16Gi` is 17179869184.

const SUFFIXES: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/** The value of a quantity; 0 for what is none (the API has validated it). */
export function quantityOf(text: string | number | undefined): number {
  if (typeof text === 'number') return text;
  const match = /^([+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?)(n|u|m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?$/.exec(text ?? '');
  if (match === null) return 0;
  const factor = SUFFIXES[match[2] ?? ''] ?? 1;
  // Thousandths are whole numbers, so that sums of CPU shares compare exactly.
  return Math.round(Number(match[1]) * factor * 1000) / 1000;
}
