// Which names objects may have: DNS subdomains, unless the kind is stricter or freer.

import type { Resource } from '../parts.ts';

const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const LABEL_1035 = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;

const SUBDOMAIN_TEXT =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const LABEL_TEXT =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const LABEL_1035_TEXT =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

type Rule = (name: string) => string | undefined;

const subdomain: Rule = name => {
  if (name.length > 253) return 'must be no more than 253 characters';
  return name.split('.').every(part => LABEL.test(part)) ? undefined : SUBDOMAIN_TEXT;
};

const label: Rule = name => {
  if (name.length > 63) return 'must be no more than 63 characters';
  return LABEL.test(name) ? undefined : LABEL_TEXT;
};

const label1035: Rule = name => {
  if (name.length > 63) return 'must be no more than 63 characters';
  return LABEL_1035.test(name) ? undefined : LABEL_1035_TEXT;
};

/** Anything that can be one segment of a path. */
const segment: Rule = name => {
  if (name === '.' || name === '..') return `may not be '${name}'`;
  if (name.includes('/')) return "may not contain '/'";
  return name.includes('%') ? "may not contain '%'" : undefined;
};

const RULES: Readonly<Record<string, Rule>> = {
  namespaces: label,
  services: label1035,
  'roles.rbac.authorization.k8s.io': segment,
  'rolebindings.rbac.authorization.k8s.io': segment,
  'clusterroles.rbac.authorization.k8s.io': segment,
  'clusterrolebindings.rbac.authorization.k8s.io': segment,
  'certificatesigningrequests.certificates.k8s.io': subdomain,
};

/** Why an object of this resource cannot have this name; undefined: it can. */
export function nameProblem(resource: Resource, name: string): string | undefined {
  return (RULES[resource.storageName] ?? subdomain)(name);
}
