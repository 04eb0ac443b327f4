// Acting as somebody else: `kubectl --as`, allowed to whom RBAC grants the verb `impersonate` on each part.

import type { Status } from '../../kube/errors.ts';
import type { Identity } from '../../kube/transport.ts';
import { badRequest } from '../answer/status.ts';
import type { Attributes, Authorizer } from '../parts.ts';
import { notAllowed, quoted } from './refusal.ts';
import { accountGroups, accountOf } from './service-account-name.ts';

const EXTRA_PREFIX = 'impersonate-extra-';

interface Wish {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** Who the request is to be carried out as: the caller itself when it impersonates nobody. */
export function impersonate(
  caller: Identity,
  headers: Readonly<Record<string, string>>,
  authorize: Authorizer,
): { readonly identity: Identity } | { readonly refused: Status } {
  const wish = wishIn(headers);
  if (wish === undefined) return { identity: caller };
  if (wish.name === '')
    return { refused: badRequest(`requested ${described(wish)} without impersonating a user name`).status };

  for (const attributes of questions(caller, wish)) {
    const verdict = authorize(attributes);
    if (!verdict.allowed) return { refused: notAllowed(attributes, verdict.reason) };
  }
  return { identity: asIdentity(wish) };
}

/** As kube-apiserver prints the identity that the headers ask for. */
function described({ groups, uid, extra }: Wish): string {
  const list = (texts: readonly string[]): string =>
    texts.length === 0 ? '[]string(nil)' : `[]string{${texts.map(quoted).join(', ')}}`;
  const entries = Object.entries(extra).map(([key, texts]) => `${quoted(key)}:${list(texts)}`);
  const map = entries.length === 0 ? 'map[string][]string(nil)' : `map[string][]string{${entries.join(', ')}}`;
  return `&user.DefaultInfo{Name:"", UID:${quoted(uid)}, Groups:${list(groups)}, Extra:${map}}`;
}

/** Between the values of a header that came several times: commas are part of them, a line end none can hold. */
export const BETWEEN_VALUES = '\n';

function wishIn(headers: Readonly<Record<string, string>>): Wish | undefined {
  if (!Object.keys(headers).some(header => header.startsWith('impersonate-'))) return undefined;
  const [name = ''] = values(headers['impersonate-user']);
  const [uid = ''] = values(headers['impersonate-uid']);
  const groups = values(headers['impersonate-group']);
  const extra = Object.fromEntries(
    Object.entries(headers)
      .filter(([header]) => header.startsWith(EXTRA_PREFIX))
      .map(([header, value]) => [decodeKey(header.slice(EXTRA_PREFIX.length)), values(value)]),
  );
  const isEmpty = name === '' && uid === '' && groups.length === 0 && Object.keys(extra).length === 0;
  return isEmpty ? undefined : { name, uid, groups, extra };
}

const values = (header: string | undefined): readonly string[] =>
  header === undefined ? [] : header.split(BETWEEN_VALUES).map(value => value.trim());

/** Extra keys are percent-encoded; one that is not stays as it is. */
function decodeKey(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

/** One question per part: the user or account, each group, the uid, each extra value. */
function questions(caller: Identity, wish: Wish): readonly Attributes[] {
  const ask = (resource: string, more: Partial<Attributes>): Attributes => ({
    identity: caller,
    verb: 'impersonate',
    group: '',
    version: 'v1',
    resource,
    subresource: '',
    namespace: '',
    name: '',
    path: '',
    fieldSelector: '',
    labelSelector: '',
    ...more,
  });
  const authentication = { group: 'authentication.k8s.io' };
  return [
    userQuestion(wish.name, ask),
    ...wish.groups.map(name => ask('groups', { name })),
    ...Object.entries(wish.extra).flatMap(([key, texts]) =>
      texts.map(name => ask('userextras', { ...authentication, subresource: key, name })),
    ),
    ...(wish.uid === '' ? [] : [ask('uids', { ...authentication, name: wish.uid })]),
  ];
}

function userQuestion(name: string, ask: (resource: string, more: Partial<Attributes>) => Attributes): Attributes {
  const account = accountOf(name);
  return account === undefined ? ask('users', { name }) : ask('serviceaccounts', account);
}

/** An account brings its groups with it; everybody but the anonymous user is authenticated unless the wish says not. */
function asIdentity({ name, uid, groups, extra }: Wish): Identity {
  const account = accountOf(name);
  const asked = account !== undefined && groups.length === 0 ? accountGroups(account.namespace) : groups;
  return {
    name,
    ...(uid === '' ? {} : { uid }),
    groups: [...asked, ...impliedGroups(name, asked)],
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}

function impliedGroups(name: string, groups: readonly string[]): readonly string[] {
  if (groups.includes('system:unauthenticated')) return [];
  if (name === 'system:anonymous') return ['system:unauthenticated'];
  return groups.includes('system:authenticated') ? [] : ['system:authenticated'];
}
