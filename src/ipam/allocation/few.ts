// Many sentences as one: the first few of them, and how many more there are.

const MOST_SAID = 5;

export function few(sentences: readonly string[]): string {
  const more = sentences.length > MOST_SAID ? [`and ${sentences.length - MOST_SAID} more`] : [];
  return [...sentences.slice(0, MOST_SAID), ...more].join('; ');
}
