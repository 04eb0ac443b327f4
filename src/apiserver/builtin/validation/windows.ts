// What containers of Windows may be told: who they run as, and whether they are processes of their host.

import type { FieldError, JsonObject } from '../../parts.ts';
import { invalid } from '../../schema/field-errors.ts';
import { objectAt } from '../json.ts';
import { type Check, NONE, ofObject } from './fields.ts';
import { eachContainer, type PodView, securityOf } from './pod-view.ts';
import { type Errors, subdomainErrors } from './texts.ts';

const MAX_SPEC_BYTES = 64 * 1024;
const MAX_DOMAIN = 256;
const MAX_USER = 104;
const NETBIOS = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
const LABEL = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?';
const DOMAIN = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`);
const ONLY_DOTS = /^[. ]+$/;
const FORBIDDEN = /["/\\:;|=,+*?<>@[\]]/;

export const windowsOptionErrors = ofObject<unknown>((path, options) => {
  const { gmsaCredentialSpecName: name, gmsaCredentialSpec: spec, runAsUserName: user } = options;
  return [
    ...(typeof name === 'string' ? subdomainErrors(`${path}.gmsaCredentialSpecName`, name) : NONE),
    ...(typeof spec === 'string' ? credentialErrors(`${path}.gmsaCredentialSpec`, spec) : NONE),
    ...(typeof user === 'string' ? userErrors(`${path}.runAsUserName`, user) : NONE),
  ];
});

function credentialErrors(path: string, spec: string): Errors {
  if (spec === '') return [invalid(path, spec, 'gmsaCredentialSpec cannot be an empty string')];
  const isLong = Buffer.byteLength(spec) > MAX_SPEC_BYTES;
  return isLong ? [invalid(path, spec, 'gmsaCredentialSpec size must be under 64 KiB')] : NONE;
}

const isControl = (sign: string): boolean => sign < ' ' || sign === '\u007f';

function userErrors(path: string, name: string): Errors {
  const wrong = (why: string): FieldError => invalid(path, name, `runAsUserName${why}`);
  const parts = name.split('\\');
  if (name === '') return [wrong(' cannot be an empty string')];
  if ([...name].some(isControl)) return [wrong(' cannot contain control characters')];
  if (parts.length > 2) return [wrong(' cannot contain more than one backslash')];
  const [user = '', domain] = parts.toReversed();
  return [...domainProblems(domain), ...userProblems(user)].map(wrong);
}

function domainProblems(domain: string | undefined): readonly string[] {
  if (domain === undefined) return [];
  const isKnown = NETBIOS.test(domain) || DOMAIN.test(domain);
  return [
    ...(domain.length >= MAX_DOMAIN ? [`'s Domain length must be under ${MAX_DOMAIN} characters`] : []),
    ...(isKnown ? [] : ["'s Domain doesn't match the NetBios nor the DNS format"]),
  ];
}

function userProblems(user: string): readonly string[] {
  return [
    ...(user === '' ? ["'s User cannot be empty"] : []),
    ...(user.length > MAX_USER ? [`'s User length must not be longer than ${MAX_USER} characters`] : []),
    ...(ONLY_DOTS.test(user) ? ["'s User cannot contain only periods or spaces"] : []),
    ...(FORBIDDEN.test(user) ? ['\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]'] : []),
  ];
}

const isHostProcess = (holder: JsonObject): JsonObject[string] | undefined =>
  objectAt(securityOf(holder), 'windowsOptions').hostProcess;

/** Either all containers are processes of the host, or none; and those are on its network. */
export const hostProcessErrors: Check<PodView> = (_, __, { path, spec }) => {
  const ofPod = isHostProcess(spec);
  const kinds: boolean[] = [];
  const errors = eachContainer<FieldError>(path, spec, (container, at) => {
    const own = isHostProcess(container);
    kinds.push((own ?? ofPod) === true);
    if (ofPod === undefined || own === undefined || own === ofPod) return NONE;
    const why = `pod hostProcess value must be identical if both are specified, was ${String(ofPod)}`;
    return [invalid(`${at}.securityContext.windowsOptions.hostProcess`, own, why)];
  });
  if (!kinds.includes(true)) return errors;
  const mixed = 'If pod contains any hostProcess containers then all containers must be HostProcess containers';
  const apart = 'hostNetwork must be true if pod contains any hostProcess containers';
  return [
    ...errors,
    ...(kinds.includes(false) ? [invalid(path, '', mixed)] : NONE),
    ...(spec.hostNetwork === true ? NONE : [invalid(`${path}.hostNetwork`, false, apart)]),
  ];
};
