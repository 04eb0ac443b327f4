// Whether a service account token is to be believed: its signature, its time, and that what it is bound to still exists.

import { millisOf, seconds } from '../../base/clock.ts';
import type { Identity } from '../../kube/transport.ts';
import type { JsonObject } from '../parts.ts';
import { objectAt, textAt, textsAt, valueAt } from './fields.ts';
import { isSignedBy, type Jwt, parseJwt } from './jwt.ts';
import { accountGroups, accountUserName } from './service-account-name.ts';
import type { TokenWorld } from './token-world.ts';

/** As the real server says it in a TokenReview. */
const BAD_SIGNATURE = 'go-jose/go-jose: error in cryptographic primitive';
const LEGACY_ISSUER = 'kubernetes/serviceaccount';
/** What is deleted but not yet gone counts this much longer. */
const DELETION_LEEWAY_MS = seconds(60);
/** How many tokens with a proved signature are remembered; the oldest goes first. */
const REMEMBERED = 1024;

export type TokenCheck =
  | { readonly kind: 'believed'; readonly identity: Identity; readonly audiences: readonly string[] }
  | { readonly kind: 'refused'; readonly why: string }
  /** Not a token of this issuer. */
  | { readonly kind: 'foreign' };

const refused = (why: string): TokenCheck => ({ kind: 'refused', why });

/** Checks against what is stored at each call; only the signature's proof is remembered. */
export function tokenChecker(world: TokenWorld): (token: string) => TokenCheck {
  const proved = new Map<string, Jwt>();
  return token => {
    const jwt = proved.get(token) ?? parseJwt(token);
    const issuer = textAt(jwt?.claims, 'iss');
    if (jwt === undefined || (issuer !== world.issuer && issuer !== LEGACY_ISSUER)) return { kind: 'foreign' };

    const isProved = proved.has(token) || isSignedBy(jwt, world.signatures, world.key.publicKeyPem);
    if (!isProved) return refused(BAD_SIGNATURE);
    remember(proved, token, jwt);
    return issuer === LEGACY_ISSUER ? checkLegacy(world, jwt.claims, token) : checkBound(world, jwt.claims);
  };
}

function remember(proved: Map<string, Jwt>, token: string, jwt: Jwt): void {
  if (proved.has(token)) return;
  const oldest = proved.keys().next().value;
  if (proved.size >= REMEMBERED && oldest !== undefined) proved.delete(oldest);
  proved.set(token, jwt);
}

function checkBound(world: TokenWorld, claims: JsonObject): TokenCheck {
  const late = againstTime(claims, world.clock.now());
  if (late !== undefined) return refused(late);

  const own = objectAt(claims, 'kubernetes.io') ?? {};
  const namespace = textAt(own, 'namespace');
  const account = { namespace, name: textAt(own, 'serviceaccount', 'name'), uid: textAt(own, 'serviceaccount', 'uid') };
  const why = againstAccount(world, account) ?? againstBound(world, own, namespace);
  if (why !== undefined) return refused(why);
  return { kind: 'believed', identity: identityOf(account, extraOf(claims, own)), audiences: textsAt(claims, 'aud') };
}

/** A claim that is missing or no number never passes. */
function againstTime(claims: JsonObject, nowMs: number): string | undefined {
  const [expires, from] = [valueAt(claims, 'exp'), valueAt(claims, 'nbf')];
  if (typeof expires !== 'number' || nowMs >= seconds(expires)) return 'service account token has expired';
  if (typeof from === 'number' && nowMs < seconds(from)) return 'service account token is not valid yet';
  return undefined;
}

interface AccountClaim {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

function againstAccount(world: TokenWorld, { namespace, name, uid }: AccountClaim): string | undefined {
  const account = world.stored.get('serviceaccounts', namespace, name);
  if (account === undefined) return `serviceaccounts "${name}" not found`;
  const current = textAt(account, 'metadata', 'uid');
  if (current !== uid) return `service account UID (${current}) does not match claim (${uid})`;
  return isGone(account, world) ? `service account ${namespace}/${name} has been deleted` : undefined;
}

/** A Pod's Node is only information; a token that names a Node and no Pod is bound to that Node. */
function againstBound(world: TokenWorld, own: JsonObject, namespace: string): string | undefined {
  const bindings = [
    ['pod', 'pods', namespace],
    ['secret', 'secrets', namespace],
    ...(objectAt(own, 'pod') === undefined ? [['node', 'nodes', '']] : []),
  ] as const;
  for (const [claim = '', storage = '', where = ''] of bindings) {
    const ref = objectAt(own, claim);
    const object = ref === undefined ? undefined : world.stored.get(storage, where, textAt(ref, 'name'));
    const why = ref === undefined ? undefined : againstObject(world, ref, object, claim);
    if (why !== undefined) return why;
  }
  return undefined;
}

function againstObject(
  world: TokenWorld,
  ref: JsonObject,
  object: JsonObject | undefined,
  claim: string,
): string | undefined {
  if (object === undefined) return 'service account token has been invalidated';
  const [current, claimed] = [textAt(object, 'metadata', 'uid'), textAt(ref, 'uid')];
  if (current === claimed) return isGone(object, world) ? 'service account token has been invalidated' : undefined;
  const label = claim === 'secret' ? claim : claim.charAt(0).toUpperCase() + claim.slice(1);
  return `${label} UID (${current}) does not match service account ${claim} ref claim (${claimed})`;
}

function isGone(object: JsonObject, world: TokenWorld): boolean {
  const deleted = textAt(object, 'metadata', 'deletionTimestamp');
  return deleted !== '' && millisOf(deleted) < world.clock.now() - DELETION_LEEWAY_MS;
}

function checkLegacy(world: TokenWorld, claims: JsonObject, token: string): TokenCheck {
  const claim = (name: string): string => textAt(claims, `kubernetes.io/serviceaccount/${name}`);
  const namespace = claim('namespace');
  const account = { namespace, name: claim('service-account.name'), uid: claim('service-account.uid') };
  const secret = world.stored.get('secrets', namespace, claim('secret.name'));
  const held = Buffer.from(textAt(secret, 'data', 'token'), 'base64').toString('utf8');
  if (secret === undefined || isGone(secret, world) || held !== token) {
    return refused('service account token has been invalidated');
  }
  const why = againstAccount(world, account);
  if (why !== undefined) return refused(why);
  return { kind: 'believed', identity: identityOf(account, {}), audiences: world.audiences };
}

const EXTRA = 'authentication.kubernetes.io';

function extraOf(claims: JsonObject, own: JsonObject): Readonly<Record<string, readonly string[]>> {
  const values: readonly (readonly [string, string])[] = [
    ['credential-id', textAt(claims, 'jti') && `JTI=${textAt(claims, 'jti')}`],
    ['node-name', textAt(own, 'node', 'name')],
    ['node-uid', textAt(own, 'node', 'uid')],
    ['pod-name', textAt(own, 'pod', 'name')],
    ['pod-uid', textAt(own, 'pod', 'uid')],
  ];
  return Object.fromEntries(
    values.filter(([, value]) => value !== '').map(([key, value]) => [`${EXTRA}/${key}`, [value]]),
  );
}

function identityOf(account: AccountClaim, extra: Readonly<Record<string, readonly string[]>>): Identity {
  return {
    name: accountUserName(account),
    uid: account.uid,
    groups: [...accountGroups(account.namespace), 'system:authenticated'],
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}
