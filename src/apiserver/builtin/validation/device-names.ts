// Names of what devices have: identifiers, with the domain of whoever defined them before a slash.

import { invalid } from '../../schema/field-errors.ts';
import { NONE } from './fields.ts';
import { type Errors, subdomainErrors } from './texts.ts';

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;
const NO_IDENTIFIER =
  "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is '[A-Za-z_][A-Za-z0-9_]*')";

const identifierErrors = (path: string, name: string): Errors =>
  IDENTIFIER.test(name) ? NONE : [invalid(path, name, NO_IDENTIFIER)];

/** Whose domain may be left out: it is then the driver's. */
export function deviceNameErrors(path: string, text: string): Errors {
  return text.includes('/') ? fullNameErrors(path, text) : identifierErrors(path, text);
}

export function fullNameErrors(path: string, text: string): Errors {
  const [domain = '', name] = text.split('/');
  if (name === undefined) {
    return [invalid(path, text, 'a fully qualified name must be a domain and a name separated by a slash')];
  }
  return [...subdomainErrors(path, domain), ...identifierErrors(path, name)];
}
