// IPAddresses: for each address of a Service one, which comes and goes with it.

import type { Core } from '../core.ts';
import { createdByServer, type Making } from '../created-by-server.ts';
import type { JsonObject } from '../parts.ts';
import { objectAt, stringAt, stringsAt } from '../rules/json.ts';
import type { Row, Store, StoreKey, Write, WriteAnswer } from '../store.ts';
import { ADDRESSES } from './service-numbers.ts';

const SERVICES = 'services';
const FAMILY = 'ipaddress.kubernetes.io/ip-family';
const MANAGED_BY = 'ipaddress.kubernetes.io/managed-by';
const ALLOCATOR = 'ipallocator.k8s.io';

/** The write, of whatever kind; that of a Service with its addresses. */
export const written = (core: Core, write: Write): Promise<WriteAnswer> =>
  write.storage === SERVICES ? withAddresses(core, write) : core.store.write(write);

/** New addresses are written before it and old ones freed after it, as the real server does: none is ever given twice. */
async function withAddresses(core: Core, write: Write): Promise<WriteAnswer> {
  const before = write.expected === 0 ? [] : addressesOf(core.store.get(write)?.object);
  const next = write.remove === undefined ? addressesOf(write.object) : [];
  const added = next.filter(ip => !before.includes(ip));
  // All in one turn: the store commits them together.
  const making = added.map(ip => createdByServer(core, addressObject(ip, write)));
  const answer = await core.store.write(write);
  const made = await Promise.all(making);
  const freed =
    answer.kind === 'written' ? before.filter(ip => !next.includes(ip)) : added.filter((_, index) => made[index]);
  await Promise.all(freed.map(ip => freedOf(core.store, ip, write)));
  return answer;
}

/** What was interrupted between a Service and its address, or was written before there were any, is put right at the start. */
export async function keepAddresses(core: Making): Promise<void> {
  const { store } = core;
  const services = store.range(SERVICES)?.rows ?? [];
  const held = new Set(services.flatMap(({ object }) => addressesOf(object)));
  const orphans = (store.range(ADDRESSES)?.rows ?? []).filter(({ name, object }) => isOurs(object) && !held.has(name));
  const missing = services.flatMap(row => addressesOf(row.object).map(ip => addressObject(ip, row)));
  await Promise.all([
    ...orphans.map(row => removed(store, row)),
    ...missing.map(address => createdByServer(core, address)),
  ]);
}

const addressesOf = (service: JsonObject | undefined): readonly string[] =>
  stringsAt(objectAt(service, 'spec'), 'clusterIPs').filter(ip => ip !== '' && ip !== 'None');

const isOurs = (address: JsonObject): boolean =>
  stringAt(objectAt(objectAt(address, 'metadata'), 'labels'), MANAGED_BY) === ALLOCATOR;

const addressObject = (ip: string, { namespace, name }: Pick<StoreKey, 'namespace' | 'name'>): JsonObject => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'IPAddress',
  metadata: { name: ip, labels: { [FAMILY]: 'IPv4', [MANAGED_BY]: ALLOCATOR } },
  spec: { parentRef: { resource: SERVICES, namespace, name } },
});

/** Another Service's stays: it was given the address meanwhile. */
async function freedOf(store: Store, ip: string, service: StoreKey): Promise<void> {
  const row = store.get({ storage: ADDRESSES, namespace: '', name: ip });
  if (row === undefined) return;
  const { namespace, name } = objectAt(objectAt(row.object, 'spec'), 'parentRef');
  if (namespace === service.namespace && name === service.name) await removed(store, row);
}

const removed = (store: Store, { storage, namespace, name, revision, object }: Row): Promise<WriteAnswer> =>
  store.write({ storage, namespace, name, expected: revision, object, remove: true });
