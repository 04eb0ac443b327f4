// What every namespace has from the start: the account `default`, and the certificate by which the API is known.

import type { KeyController, KubeWorld } from '../../kube/controller.ts';
import { ConfigMap, Namespace, ServiceAccount } from '../../kube/core/other.ts';
import { isAlreadyExists, isForbidden, isNotFound } from '../../kube/errors.ts';
import { isDeleting, type KubeObject } from '../../kube/object.ts';
import { done } from '../../kube/outcome.ts';

const DEFAULT_ACCOUNT = 'default';
const ROOT_CA = 'kube-root-ca.crt';
const CA_KEY = 'ca.crt';

const ABOUT_ROOT_CA =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.';

export interface DefaultsOptions {
  /** PEM of the certificate that signs the API's own; without it no ConfigMap is made. */
  readonly rootCaPem?: string;
  readonly recheckMs: number;
}

export function namespaceDefaults(options: DefaultsOptions): KeyController<KubeWorld> {
  return {
    name: 'namespace-defaults',
    kind: Namespace,
    wokenBy: [
      { kind: ServiceAccount, keysFor: object => namespaceOf(object, DEFAULT_ACCOUNT) },
      { kind: ConfigMap, keysFor: object => namespaceOf(object, ROOT_CA) },
    ],
    reads: [ServiceAccount, ConfigMap],
    async pass(key, _object, world) {
      const namespace = world.caches.of(Namespace).get(key);
      if (namespace === undefined || isDeleting(namespace)) return done();
      await ensureAccount(key.name, world);
      if (options.rootCaPem !== undefined) await ensureRootCa(key.name, options.rootCaPem, world);
      return done(undefined, options.recheckMs);
    },
  };
}

const namespaceOf = (object: KubeObject, name: string) =>
  object.metadata.name === name ? [{ name: object.metadata.namespace ?? '' }] : [];

async function ensureAccount(namespace: string, world: KubeWorld): Promise<void> {
  const key = { namespace, name: DEFAULT_ACCOUNT };
  if (world.caches.of(ServiceAccount).get(key) !== undefined) return;
  await unlessEnding(() =>
    world.api.create(ServiceAccount, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: key }),
  );
}

async function ensureRootCa(namespace: string, pem: string, world: KubeWorld): Promise<void> {
  const key = { namespace, name: ROOT_CA };
  const current = world.caches.of(ConfigMap).get(key);
  if (current?.data?.[CA_KEY] === pem) return;
  if (current !== undefined) {
    await unlessEnding(() => world.api.patch(ConfigMap, key, { data: { [CA_KEY]: pem } }));
    return;
  }
  const metadata = { ...key, annotations: { 'kubernetes.io/description': ABOUT_ROOT_CA } };
  const object: ConfigMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { [CA_KEY]: pem } };
  await unlessEnding(() => world.api.create(ConfigMap, object));
}

/** A namespace that is gone or going takes nothing new; one that another replica has filled needs nothing. */
async function unlessEnding(write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (isAlreadyExists(error) || isNotFound(error)) return;
    if (isForbidden(error) && error.status?.details?.causes?.some(cause => cause.reason === 'NamespaceTerminating'))
      return;
    throw error;
  }
}
