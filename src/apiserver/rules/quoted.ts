// A text as Go quotes it (`%q`): where Kubernetes' messages repeat what a client sent.

const NAMED: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '"': '\\"',
  '\\': '\\\\',
};

/** What is not printed as it is: controls, quotes, spaces of other kinds than the usual one. */
const ESCAPED = /["\\\p{C}]|[^\P{Z} ]/gu;

export function goQuoted(text: string): string {
  return `"${text.replaceAll(ESCAPED, sign => NAMED[sign] ?? code(sign.codePointAt(0) ?? 0))}"`;
}

function code(point: number): string {
  if (point < 0x80) return `\\x${point.toString(16).padStart(2, '0')}`;
  return point > 0xffff ? `\\U${point.toString(16).padStart(8, '0')}` : `\\u${point.toString(16).padStart(4, '0')}`;
}
