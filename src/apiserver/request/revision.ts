// A resourceVersion out of a query: a whole number of 64 bits, or the words of Go on what it is instead.

const MAX = 2n ** 64n - 1n;

/** Why `text` is no resourceVersion; undefined: it is one. */
export function revisionProblem(text: string): string | undefined {
  const digits = /^\d+$/.test(text);
  // Longer ones are not worth reading as a number, and none of fewer digits is too large.
  if (digits && (text.length < 20 || (text.length < 100 && BigInt(text) <= MAX))) return undefined;
  const why = digits ? 'value out of range' : 'invalid syntax';
  const quoted = JSON.stringify(text);
  return `resourceVersion: Invalid value: ${quoted}: strconv.ParseUint: parsing ${quoted}: ${why}`;
}
