// The query of a request as Go reads it: a part that cannot be read is left out, where browsers would guess.

/** A semicolon, or a percent sign that escapes nothing. */
const UNREADABLE = /;|%(?![0-9a-fA-F]{2})/;

export function queryOf(text: string): URLSearchParams {
  if (!UNREADABLE.test(text)) return new URLSearchParams(text);
  const readable = text.split('&').filter(part => !UNREADABLE.test(part));
  return new URLSearchParams(readable.join('&'));
}
