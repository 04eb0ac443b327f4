// The warnings of an answer: RFC 7234 headers, as kubectl prints them, bounded as on the real server.

/** All texts together; beyond it each is cut. */
const MAX_TOTAL = 4096;
const MAX_CUT = 256;

/** The header's value; empty when no warning can be sent. Texts with control characters cannot. */
export function warningHeader(warnings: readonly string[]): string {
  const texts = [...new Set(warnings)].filter(text => text !== '' && !/[\p{Cc}]/u.test(text));
  const total = texts.reduce((sum, text) => sum + [...text].length, 0);
  return (total > MAX_TOTAL ? cut(texts) : texts).map(text => `299 - ${JSON.stringify(text)}`).join(', ');
}

function cut(texts: readonly string[]): readonly string[] {
  let left = MAX_TOTAL;
  const short = new Set(texts.map(text => [...text].slice(0, MAX_CUT).join('')));
  return [...short].filter(text => {
    left -= [...text].length;
    return left >= 0;
  });
}
