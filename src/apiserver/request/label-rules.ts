// What a label's key and value may be: the rule of every qualified name, each mistake in Kubernetes' words.

import { remembered } from '../../base/remembered.ts';

const MAX_BYTES = 63;
const NAME = /^([A-Za-z0-9][A-Za-z0-9_.-]*)?[A-Za-z0-9]$/;
const PREFIX = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const VALUE = /^(([A-Za-z0-9][A-Za-z0-9_.-]*)?[A-Za-z0-9])?$/;
const SAMPLE =
  "(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const SIGNS =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const PREFIX_TEXT =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const VALUE_TEXT =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

/** Why `key` is no qualified name (`app`, `example.com/app`); none: it is one. */
export const labelKeyProblems = remembered((key): readonly string[] => {
  const parts = key.split('/');
  if (parts.length > 2) {
    return [
      `a valid label key ${SIGNS} ${SAMPLE} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const [name = '', prefix] = parts.reverse();
  return [...(prefix === undefined ? [] : prefixProblems(prefix)), ...nameProblems(name)];
});

function prefixProblems(prefix: string): readonly string[] {
  if (prefix === '') return ['prefix part must be non-empty'];
  return [
    ...(prefix.length > 253 ? ['prefix part must be no more than 253 bytes'] : []),
    ...(PREFIX.test(prefix) ? [] : [`prefix part ${PREFIX_TEXT}`]),
  ];
}

function nameProblems(name: string): readonly string[] {
  const size = name === '' ? ['name part must be non-empty'] : [];
  if (name.length > MAX_BYTES) size.push(`name part must be no more than ${MAX_BYTES} bytes`);
  return NAME.test(name) ? size : [...size, `name part ${SIGNS} ${SAMPLE}`];
}

/** Why `value` is no label value; none: it is one. */
export function labelValueProblems(value: string): readonly string[] {
  const size = value.length > MAX_BYTES ? [`must be no more than ${MAX_BYTES} bytes`] : [];
  return VALUE.test(value) ? size : [...size, VALUE_TEXT];
}
