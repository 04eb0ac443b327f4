// What a Pod is called, whom it asks for names, and which names it knows by itself.

import type { Json, JsonObject } from '../../parts.ts';
import { forbidden, invalid, required, tooLong } from '../../schema/field-errors.ts';
import { isList, listAt, objectsAt, textAt } from '../json.ts';
import { soundAddressErrors } from './canonical-addresses.ts';
import { type Check, NONE, ofEach } from './fields.ts';
import type { PodView } from './pod-view.ts';
import { type Errors, subdomainErrors } from './texts.ts';

const MAX_SERVERS = 3;
const MAX_SEARCHES = 32;
const MAX_SEARCH_CHARACTERS = 2048;
const MAX_HOSTNAME = 64;
const MAX_SEARCH = 253;
const SEARCH = /^_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*$/;
const SEARCH_TEXT =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*')";

/** Who asks nobody else must say whom to ask. */
export const ownServersErrors: Check<PodView> = (_, policy, { path, spec }) => {
  if (policy !== 'None') return NONE;
  const { dnsConfig } = spec;
  const at = `${path}.dnsConfig`;
  if (dnsConfig === undefined) return [required(at, 'must provide `dnsConfig` when `dnsPolicy` is None')];
  if (listAt(objectOf(dnsConfig), 'nameservers').length > 0) return NONE;
  return [required(`${at}.nameservers`, 'must provide at least one DNS nameserver when `dnsPolicy` is None')];
};

const objectOf = (value: Json): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};

export const dnsErrors: Check<PodView> = (path, value, { spec }) => {
  const config = objectOf(value);
  const [servers, searches] = [listAt(config, 'nameservers'), listAt(config, 'searches')];
  // That there are none is told already.
  if (spec.dnsPolicy === 'None' && servers.length === 0) return NONE;
  const manyServers = `must not have more than ${MAX_SERVERS} nameservers`;
  return [
    ...(servers.length > MAX_SERVERS ? [invalid(`${path}.nameservers`, servers, manyServers)] : NONE),
    ...servers.flatMap((ip, index) => soundAddressErrors(`${path}.nameservers[${index}]`, String(ip))),
    ...searchesErrors(`${path}.searches`, searches),
    ...objectsAt(config, 'options').flatMap((option, index) =>
      textAt(option, 'name') === '' ? [required(`${path}.options[${index}]`, 'must not be empty')] : NONE,
    ),
  ];
};

function searchesErrors(path: string, searches: readonly Json[]): Errors {
  const many = `must not have more than ${MAX_SEARCHES} search paths`;
  const long = `must not have more than ${MAX_SEARCH_CHARACTERS} characters (including spaces) in the search list`;
  return [
    ...(searches.length > MAX_SEARCHES ? [invalid(path, searches, many)] : NONE),
    ...(searches.join(' ').length > MAX_SEARCH_CHARACTERS ? [invalid(path, searches, long)] : NONE),
    ...searches.flatMap((search, index) => searchErrors(`${path}[${index}]`, String(search))),
  ];
}

function searchErrors(path: string, search: string): Errors {
  if (search === '.') return NONE;
  const name = search.replace(/\.$/, '');
  const long = name.length > MAX_SEARCH ? [invalid(path, name, `must be no more than ${MAX_SEARCH} characters`)] : NONE;
  return SEARCH.test(name) ? long : [...long, invalid(path, name, SEARCH_TEXT)];
}

export const hostAliasErrors = ofEach<unknown>((path, alias) => [
  ...soundAddressErrors(`${path}.ip`, textAt(alias, 'ip')),
  ...(isList(alias.hostnames)
    ? alias.hostnames.flatMap((name, index) => subdomainErrors(`${path}.hostnames[${index}]`, String(name)))
    : NONE),
]);

export const hostnameErrors: Check<PodView> = (path, value, { spec }) => {
  const name = String(value);
  const [isWhole, isHost] = [spec.setHostnameAsFQDN === true, spec.hostNetwork === true];
  return [
    ...(isWhole ? [forbidden(path, 'may not be specified when setHostnameAsFQDN is true')] : NONE),
    ...(isHost ? [forbidden(path, 'may not be specified when hostNetwork is true')] : NONE),
    ...(name.length > MAX_HOSTNAME ? [tooLong(path, MAX_HOSTNAME)] : NONE),
    ...subdomainErrors(path, name),
  ];
};
