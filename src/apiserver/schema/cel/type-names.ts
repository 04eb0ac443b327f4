// Types of expressions as CEL in Kubernetes writes them.

const NAMED: Readonly<Record<string, string>> = {
  'google.protobuf.Timestamp': 'timestamp',
  'google.protobuf.Duration': 'duration',
};

/** Objects of a schema are called by the way to them: `selfType.spec.@idx`. */
export const typeNamesIn = (text: string): string =>
  fullTypeNamesIn(text).replaceAll(/\bgoogle\.protobuf\.(?:Timestamp|Duration)\b/g, name => NAMED[name] ?? name);

/** With times by their full names. */
export const fullTypeNamesIn = (text: string): string =>
  text
    .replaceAll('optional<', 'optional_type<')
    .replaceAll('<', '(')
    .replaceAll(/>(?!=)/g, ')')
    .replaceAll('.__at', '.@')
    .replaceAll(/\b[A-Z]\b/g, 'dyn');

/** What the type of a value is called when there is a value: `given` is its name as the types are checked. */
export function typeOfValue(given: string): string {
  if (given === 'null') return 'null_type';
  const bare = given.replace(/<.*$/, '');
  if (bare === 'optional') return 'optional_type';
  return bare.startsWith('google.') ? bare : typeNamesIn(bare);
}
