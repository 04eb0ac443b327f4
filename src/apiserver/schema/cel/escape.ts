// How property names are written in CEL, where not every name is an identifier.

const KEYWORDS: ReadonlySet<string> = new Set([
  'true',
  'false',
  'null',
  'in',
  'as',
  'break',
  'const',
  'continue',
  'else',
  'for',
  'function',
  'if',
  'import',
  'let',
  'loop',
  'package',
  'namespace',
  'return',
  'var',
  'void',
  'while',
]);

const SIGNS: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};

/** `foo-bar` is `foo__dash__bar`, `namespace` is `__namespace__`; undefined: cannot be reached from a rule. */
export function escapedName(property: string): string | undefined {
  if (KEYWORDS.has(property)) return `__${property}__`;
  const escaped = property.replaceAll(/__|[./-]/g, sign => SIGNS[sign] ?? sign);
  return /^[A-Za-z_]\w*$/.test(escaped) ? escaped : undefined;
}
