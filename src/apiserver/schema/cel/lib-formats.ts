// Named formats in rules: `!format.dns1123Label().validate(self.name).hasValue()`.

import { type Environment, Optional } from '@marcbachmann/cel-js';
import { formatAccepts } from '../formats.ts';
import type { Register } from './environment.ts';

/** A format's name, and what is wrong with a text that does not have it. */
class NamedFormat {
  readonly name: string;
  readonly problem: (text: string) => string | undefined;

  constructor(name: string, problem: (text: string) => string | undefined) {
    this.name = name;
    this.problem = problem;
  }

  valueOf(): string {
    return this.name;
  }
}

class FormatNamespace {}

const LABEL_1123 =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const SUBDOMAIN_1123 =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const LABEL_1035 =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
const LABEL_VALUE =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const LABEL_KEY =
  "a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')";
const QUALIFIED =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

const label1123 = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const label1035 = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const word = /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;

const sized = (most: number, fits: (text: string) => boolean, rule: string) => (text: string) => {
  if (text.length > most) return `must be no more than ${most} bytes`;
  return fits(text) ? undefined : rule;
};

/** A prefix may end in a dash: something follows it. What stands before the dash is not looked at, as on the real server. */
const prefix = (check: (text: string) => string | undefined) => (text: string) =>
  check(text.length > 1 && text.endsWith('-') ? `${text.slice(0, -2)}a` : text);

const isSubdomain = (text: string): boolean => text.split('.').every(part => label1123.test(part));

function qualifiedProblem(text: string): string | undefined {
  const parts = text.split('/');
  const name = parts.at(-1) ?? '';
  if (parts.length > 2) return LABEL_KEY;
  if (parts.length === 2 && parts[0] === '') return 'prefix part must be non-empty';
  if (parts.length === 2 && !isSubdomain(parts[0] ?? '')) return `prefix part ${SUBDOMAIN_1123}`;
  if (name === '') return 'name part must be non-empty';
  if (name.length > 63) return 'name part must be no more than 63 bytes';
  return word.test(name) ? undefined : QUALIFIED;
}

const dns1123Label = sized(63, text => label1123.test(text), LABEL_1123);
const dns1123Subdomain = sized(253, isSubdomain, SUBDOMAIN_1123);
const dns1035Label = sized(63, text => label1035.test(text), LABEL_1035);

const ofSchema =
  (format: string, problem: (text: string) => string) =>
  (text: string): string | undefined =>
    formatAccepts(format, text) ? undefined : problem(text);

const FORMATS: Readonly<Record<string, (text: string) => string | undefined>> = {
  dns1123Label,
  dns1123Subdomain,
  dns1035Label,
  qualifiedName: qualifiedProblem,
  dns1123LabelPrefix: prefix(dns1123Label),
  dns1123SubdomainPrefix: prefix(dns1123Subdomain),
  dns1035LabelPrefix: prefix(dns1035Label),
  labelValue: sized(63, text => text === '' || word.test(text), LABEL_VALUE),
  uri: ofSchema('uri', text => `parse ${JSON.stringify(text)}: invalid URI for request`),
  uuid: ofSchema('uuid', () => 'does not match the UUID format'),
  byte: ofSchema('byte', () => 'invalid base64'),
  date: ofSchema('date', () => 'invalid date'),
  datetime: ofSchema('date-time', () => 'invalid datetime'),
};

export function registerFormats(environment: Environment, register: Register): void {
  environment.registerType('kubernetes.NamedFormat', { ctor: NamedFormat, fields: {} });
  environment.registerType('FormatNamespace', FormatNamespace);
  environment.registerConstant('format', 'FormatNamespace', new FormatNamespace());
  const known = new Map(Object.entries(FORMATS).map(([name, problem]) => [name, new NamedFormat(name, problem)]));
  for (const [name, format] of known) register(`FormatNamespace.${name}(): kubernetes.NamedFormat`, () => format);
  register('FormatNamespace.named(string): optional<kubernetes.NamedFormat>', (_: unknown, name: string) => {
    const format = known.get(name);
    return format === undefined ? Optional.none() : Optional.of(format);
  });
  register(
    'kubernetes.NamedFormat.validate(string): optional<list<string>>',
    ({ problem }: NamedFormat, text: string) => {
      const found = problem(text);
      return found === undefined ? Optional.none() : Optional.of([found]);
    },
  );
}
