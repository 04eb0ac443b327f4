// Truths in flags and queries, as Go reads them.

const TRUE: ReadonlySet<string> = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);
const FALSE: ReadonlySet<string> = new Set(['0', 'f', 'F', 'false', 'FALSE', 'False']);

/** Undefined: it is neither. */
export function goTruth(text: string): 'true' | 'false' | undefined {
  if (TRUE.has(text)) return 'true';
  return FALSE.has(text) ? 'false' : undefined;
}
