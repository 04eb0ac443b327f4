// Service account token Secrets: filled when their account exists, deleted when it does not.

import type { KeyController, KubeWorld } from '../../kube/controller.ts';
import { Secret, ServiceAccount } from '../../kube/core/other.ts';
import { annotationOf, isDeleting, keyOf } from '../../kube/object.ts';
import { done, type Outcome } from '../../kube/outcome.ts';
import { unlessOvertaken } from '../overtaken.ts';

const TOKEN_TYPE = 'kubernetes.io/service-account-token';
const ACCOUNT_NAME = 'kubernetes.io/service-account.name';
const ACCOUNT_UID = 'kubernetes.io/service-account.uid';
const BY_ACCOUNT = 'builtin.tokenAccount';

/** Whose token it is, and the Secret that carries it. */
export interface TokenSubject {
  readonly namespace: string;
  readonly account: { readonly name: string; readonly uid: string };
  readonly secret: { readonly name: string; readonly uid: string };
}

export interface TokenOptions {
  /** A token that does not expire and dies with the Secret. */
  readonly mint: (subject: TokenSubject) => Promise<string>;
  /** PEM, for the Secret's `ca.crt`. */
  readonly rootCaPem?: string;
}

export function accountTokens(options: TokenOptions): KeyController<KubeWorld> {
  return {
    name: 'service-account-tokens',
    kind: Secret,
    wokenBy: [{ kind: ServiceAccount, keysFor: (account, world) => secretsOf(account, world).map(keyOf) }],
    reads: [ServiceAccount],
    heeds: secret => accountNameOf(secret) !== undefined,
    async pass(key, _object, world) {
      const secret = indexed(world).get(key);
      const name = secret === undefined ? undefined : accountNameOf(secret);
      if (secret === undefined || name === undefined || isDeleting(secret)) return done();
      return keep(secret, name, { world, options });
    },
  };
}

interface On {
  readonly world: KubeWorld;
  readonly options: TokenOptions;
}

async function keep(secret: Secret, accountName: string, on: On): Promise<Outcome> {
  const namespace = secret.metadata.namespace ?? '';
  const key = { namespace, name: accountName };
  // A cache that does not have the account yet is no reason to delete anything: absence is read live.
  const cached = on.world.caches.of(ServiceAccount).get(key);
  const account = cached ?? (await on.world.api.find(ServiceAccount, key));
  const stampedUid = annotationOf(secret, ACCOUNT_UID);
  const uid = account?.metadata.uid;
  if (uid === undefined || (stampedUid !== undefined && stampedUid !== uid)) return dropIfOrphaned(secret, key, on);
  if (secret.data?.token !== undefined && stampedUid === uid) return done();
  return fill(secret, { name: accountName, uid }, on);
}

/** The account is gone, or another of that name has come: its tokens go, after one more live look. */
async function dropIfOrphaned(secret: Secret, key: { namespace: string; name: string }, on: On): Promise<Outcome> {
  const live = await on.world.api.find(ServiceAccount, key);
  const stampedUid = annotationOf(secret, ACCOUNT_UID);
  if (live !== undefined && (stampedUid === undefined || live.metadata.uid === stampedUid))
    return done(undefined, 1000);
  const { uid, resourceVersion } = secret.metadata;
  await unlessOvertaken(() =>
    on.world.api.delete(Secret, keyOf(secret), {
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
    }),
  );
  return done();
}

async function fill(secret: Secret, account: TokenSubject['account'], on: On): Promise<Outcome> {
  const { name, uid = '', resourceVersion, namespace = '' } = secret.metadata;
  const token = await on.options.mint({ namespace, account, secret: { name, uid } });
  const ca = on.options.rootCaPem === undefined ? {} : { 'ca.crt': btoa(on.options.rootCaPem) };
  await unlessOvertaken(() =>
    on.world.api.patch(Secret, keyOf(secret), {
      metadata: { uid, resourceVersion, annotations: { [ACCOUNT_UID]: account.uid } },
      data: { ...ca, namespace: btoa(namespace), token: btoa(token) },
    }),
  );
  return done();
}

function accountNameOf(secret: Secret): string | undefined {
  return secret.type === TOKEN_TYPE ? annotationOf(secret, ACCOUNT_NAME) : undefined;
}

function indexed(world: KubeWorld) {
  const secrets = world.caches.of(Secret);
  secrets.index(BY_ACCOUNT, secret => {
    const name = accountNameOf(secret);
    return name === undefined ? [] : [`${secret.metadata.namespace ?? ''}/${name}`];
  });
  return secrets;
}

function secretsOf(account: { readonly metadata: ServiceAccount['metadata'] }, world: KubeWorld): readonly Secret[] {
  return indexed(world).by(BY_ACCOUNT, `${account.metadata.namespace ?? ''}/${account.metadata.name}`);
}
