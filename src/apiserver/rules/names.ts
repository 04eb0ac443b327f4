// Which names objects may have: DNS subdomains, unless the kind is stricter or freer.

import type { Resource } from '../parts.ts';
import { addressFormProblem } from './address-forms.ts';

const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

const SUBDOMAIN_TEXT =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const LABEL_TEXT =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

type Rule = (name: string) => readonly string[];

const isSubdomain = (name: string): boolean => name.split('.').every(part => LABEL.test(part));

const subdomain: Rule = name => [
  ...(name.length > 253 ? ['must be no more than 253 characters'] : []),
  ...(isSubdomain(name) ? [] : [SUBDOMAIN_TEXT]),
];

const label: Rule = name => [
  ...(name.length > 63 ? ['must be no more than 63 characters'] : []),
  ...(LABEL.test(name) ? [] : [isSubdomain(name) ? 'must not contain dots' : LABEL_TEXT]),
];

/** Anything that can be one segment of a path. */
const segment: Rule = name => {
  if (name === '.' || name === '..') return [`may not be '${name}'`];
  return ['/', '%'].filter(sign => name.includes(sign)).map(sign => `may not contain '${sign}'`);
};

/** The one form of an address: another would be another name of the same. */
const address: Rule = name => {
  const problem = addressFormProblem(name);
  return problem === undefined ? [] : [problem];
};

const RULES: Readonly<Record<string, Rule>> = {
  namespaces: label,
  services: label,
  'statefulsets.apps': label,
  'ipaddresses.networking.k8s.io': address,
  'roles.rbac.authorization.k8s.io': segment,
  'rolebindings.rbac.authorization.k8s.io': segment,
  'clusterroles.rbac.authorization.k8s.io': segment,
  'clusterrolebindings.rbac.authorization.k8s.io': segment,
  'certificatesigningrequests.certificates.k8s.io': subdomain,
};

/** Why an object of this resource cannot have this name; none: it can. */
export function nameProblems({ storageName }: Resource, name: string): readonly string[] {
  return (RULES[storageName] ?? subdomain)(name);
}

/** Why a name cannot be made of this base: it may end in a dash, since more follows. */
export function basisProblems(resource: Resource, base: string): readonly string[] {
  const begun = base.length > 1 && base.endsWith('-') ? `${base.slice(0, -2)}a` : base;
  return resource.storageName.endsWith('.rbac.authorization.k8s.io') ? [] : nameProblems(resource, begun);
}
