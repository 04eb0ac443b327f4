// Remembers what was made of a text: programs ask the same few over and over.

const MAX_ENTRIES = 1000;
const MAX_LENGTH = 100;

/** `of`, which must depend on the text alone. Long texts, and more of them than are usual, are made anew each time. */
export function remembered<T>(of: (text: string) => T): (text: string) => T {
  const known = new Map<string, { readonly value: T }>();
  return text => {
    const before = known.get(text);
    if (before !== undefined) return before.value;
    const value = of(text);
    if (text.length > MAX_LENGTH) return value;
    if (known.size >= MAX_ENTRIES) known.clear();
    known.set(text, { value });
    return value;
  };
}
