// A provider for tests: kinds of both contracts, and a controller that "rents" hosts and starts their Nodes.

import type { KeyController, KubeWorld } from '../../kube/controller.ts';
import { Node } from '../../kube/core/node.ts';
import { CustomResourceDefinition } from '../../kube/core/other.ts';
import { isAlreadyExists, isNotFound } from '../../kube/errors.ts';
import { type Kind, kindOf } from '../../kube/kind.ts';
import { controllerOf, isDeleting, keyOf } from '../../kube/object.ts';
import { done } from '../../kube/outcome.ts';
import type { TestWorld } from '../world.testing.ts';
import type { ProviderObject } from './provider/object.ts';
import type { Contract } from './provider/references.ts';

const GROUP = 'infrastructure.cluster.x-k8s.io';
const VERSION = 'v1alpha7';

const kind = (name: string): Kind<ProviderObject> =>
  kindOf<ProviderObject>(`${GROUP}/${VERSION}`, name, `${name.toLowerCase()}s`, 'Namespaced');

/** `Mac` keeps contract v1beta1, `Box` v1beta2. */
export const Mac = kind('Mac');
export const MacTemplate = kind('MacTemplate');
export const Box = kind('Box');
export const BoxTemplate = kind('BoxTemplate');
export const Site = kind('Site');
export const Config = kind('Config');
export const ConfigTemplate = kind('ConfigTemplate');

const FINALIZER = 'provider.test/host';

/** What the provider does on demand of a test. */
export interface Provider {
  /** Names whose hosts are never ready, and whose deletion never ends. */
  readonly slow: Set<string>;
  readonly controllers: readonly KeyController<KubeWorld>[];
}

export async function installProvider(world: TestWorld): Promise<Provider> {
  const contracts: readonly (readonly [Kind, Contract])[] = [
    [Mac, 'v1beta1'],
    [MacTemplate, 'v1beta1'],
    [Box, 'v1beta2'],
    [BoxTemplate, 'v1beta2'],
    [Site, 'v1beta1'],
    [Config, 'v1beta1'],
    [ConfigTemplate, 'v1beta1'],
  ];
  for (const [served, contract] of contracts) await world.api.create(CustomResourceDefinition, crdOf(served, contract));
  await world.pass(0);
  const slow = new Set<string>();
  return { slow, controllers: [host(Mac, slow), host(Box, slow)] };
}

function crdOf({ group, kind: name, plural }: Kind, contract: Contract): CustomResourceDefinition {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const version = { name: VERSION, served: true, storage: true, schema, subresources: { status: {} } };
  const labels = { [`cluster.x-k8s.io/${contract}`]: VERSION };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}`, labels },
    spec: { group, scope: 'Namespaced', names: { kind: name, plural }, versions: [version] },
  };
}

function host(of: Kind<ProviderObject>, slow: ReadonlySet<string>): KeyController<KubeWorld> {
  return {
    name: `test-${of.plural}`,
    kind: of,
    pass: async (key, _object, world) => {
      const object = world.caches.of(of).get(key);
      if (object === undefined) return done();
      if (slow.has(key.name)) return done(undefined, 1000);
      if (isDeleting(object)) await release(of, object, world);
      else if (controllerOf(object) !== undefined) await rent(of, object, world);
      return done();
    },
  };
}

async function rent(of: Kind<ProviderObject>, object: ProviderObject, world: KubeWorld): Promise<void> {
  if (object.spec?.providerID !== undefined) return;
  const { name } = object.metadata;
  const providerID = `test://${object.metadata.uid}`;
  await world.api.patch(of, keyOf(object), { metadata: { finalizers: [FINALIZER] }, spec: { providerID } });
  const status = {
    ready: true,
    initialization: { provisioned: true },
    addresses: [{ type: 'ExternalIP', address: '192.0.2.1' }],
  };
  await world.api.patch(of, keyOf(object), { status }, { subresource: 'status' });
  const node: Node = { apiVersion: 'v1', kind: 'Node', metadata: { name }, spec: { providerID } };
  await world.api.create(Node, node).catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error;
  });
  await setReady(world, name, 'True');
}

async function release(of: Kind<ProviderObject>, object: ProviderObject, world: KubeWorld): Promise<void> {
  await world.api.patch(of, keyOf(object), { metadata: { finalizers: null } }).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
}

export async function setReady(
  world: Pick<KubeWorld, 'api'>,
  name: string,
  status: 'True' | 'False' | 'Unknown',
  lastTransitionTime = '2026-01-01T00:00:00Z',
): Promise<void> {
  const conditions = [{ type: 'Ready', status, lastTransitionTime }];
  await world.api.patch(Node, { name }, { status: { conditions } }, { subresource: 'status' });
}
