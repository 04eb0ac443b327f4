// The fixed mask: what differs between two runs on one and the same server is replaced by what it is.

const MASKS: readonly (readonly [RegExp, string])[] = [
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, '<token>'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '<uid>'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/g, '<time>'],
  [/\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} \d{4} \d\d:\d\d:\d\d [+-]\d{4}/g, '<date>'],
  [/-----BEGIN ([A-Z ]+)-----[\s\S]*?-----END \1-----/g, '<pem>'],
  [/\bLS0tLS1CRUdJTi[A-Za-z0-9+/=]*/g, '<pem>'],
  [/https?:\/\/127\.0\.0\.1:\d+/g, '<server>'],
  [/\b127\.0\.0\.1:\d{4,5}\b/g, '<server>'],
  [/https:\/\/kubernetes\.default\.svc(\.cluster\.local)?/g, '<issuer>'],
  [/\b10\.0\.0\.\d{1,3}\b/g, '<ip>'],
  [/(resourceVersion\\*"?[=:] ?)\\*"?\d+\\*"?/g, '$1<version>'],
  [/Resource Version: +\d+/g, 'Resource Version: <version>'],
  [/\b\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4} UTC/g, '<date>'],
  [/\b(kubectl-edit|kube-api-access|debugger)-\w+/g, '$1-<made>'],
  // How kubectl's own log lines begin: level, date, time, process.
  [/^([EWI])\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ /gm, '$1 '],
  // An age is a cell of a table, or stands before `ago`.
  [/(?<= {2}|\()\d+(ms|s|m)(\d+s)?(?=\s*$| {2}|\)| ago)/gm, '<age>'],
  [/\bkubernetes-admin\b/g, 'admin'],
  // How helm dates a release.
  [/\bmodifiedAt=\d+/g, 'modifiedAt=<time>'],
  [/\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun) \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4}/g, '<date>'],
  [/\b\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+ [+-]\d{4} UTC/g, '<date>'],
];

/** Two spaces or more part the cells of a table, as wide as its widest cell: how many says only how wide a masked one was. */
const GAP = /(?<=\S) {2,}/g;

export function masked(text: string, own: Readonly<Record<string, string>> = {}): string {
  let shown = text;
  for (const [value, word] of Object.entries(own)) shown = shown.replaceAll(value, word);
  for (const [pattern, word] of MASKS) shown = shown.replace(pattern, word);
  return shown.replace(GAP, '  ').replace(/[ \t]+$/gm, '');
}
