// A Data that is kept is rendered once: its secrets are made from what there is, and never written again.

import { seconds } from '../../base/clock.ts';
import { type Subject, unsaid } from '../../deletion/quiet-controller.ts';
import { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import { Metal3DataClaim } from '../../kinds/generated/metal3-data-claim.generated.ts';
import {
  META_DATA_KEY,
  METAL3_DATA_CLAIM_FINALIZER,
  metaDataSecretName,
  NETWORK_DATA_KEY,
  networkDataSecretName,
} from '../../kinds/metal-wire.ts';
import { refTo } from '../../kube/api.ts';
import { isGone } from '../../kube/departed.ts';
import { letGo } from '../../kube/finalizers.ts';
import { hasFinalizer, keyOf } from '../../kube/object.ts';
import { done, type Outcome, type Wait } from '../../kube/outcome.ts';
import { ownersOf } from '../../kube/owners.ts';
import { type PoolAddress, poolReferencesOf, renderMetaData, renderNetworkData } from '../rendering/index.ts';
import { addressOf, isWait } from './addresses.ts';
import { noteOf } from './given-addresses.ts';
import { whileUsed } from './in-use.ts';
import { holdLeases } from './leases-kept.ts';
import { isLetGo } from './let-go.ts';
import { givenAddresses, restoreLeases } from './lost-leases.ts';
import { missingCluster, type Sources, sourcesOf, type Wanting, wantingOf } from './prerequisites.ts';
import { makeSecret, standingOfSecret } from './secrets.ts';
import type { DataWorld } from './world.ts';

const ORPHAN_RECHECK_MS = seconds(2);

const READY = { ready: true, errorMessage: null };

export async function dataRendering(subject: Subject<Metal3Data>, world: DataWorld): Promise<Outcome> {
  if (await isOrphan(subject.object, world)) {
    if (isLetGo(subject.object, world)) return unseenDeletion(subject.object);
    return whileUsed(subject.object, world) ?? letOrphanGo(subject.object, world);
  }
  await holdLeases(subject.object, world);
  if (isComplete(subject.object, world)) return (await restoreLeases(subject.object, world)) ?? done();
  const wait = await rendered(subject, world);
  return wait === undefined ? done({ status: READY }) : { ...wait, change: { status: { errorMessage: null } } };
}

/** Its Claim is gone without having let it go (metal-G3): nobody else ever will. */
async function isOrphan(data: Metal3Data, world: DataWorld): Promise<boolean> {
  const { namespace = '' } = data.metadata;
  const owners = ownersOf(data, Metal3DataClaim);
  for (const { name, uid } of owners) {
    if (!(await isGone({ kind: Metal3DataClaim, namespace, name, uid }, world))) return false;
  }
  return owners.length > 0;
}

/** The Claim has had it deleted before it went. */
const unseenDeletion = (data: Metal3Data): Wait =>
  unsaid(refTo(Metal3Data, data), 'its deletion to be seen', ORPHAN_RECHECK_MS);

const passedOver = new WeakSet<Metal3Data>();

/**
 * One that its Claim has let go of was deleted by it before it went, and this cache shows that in a moment: only what
 * is the same after a while is deleted here.
 */
async function letOrphanGo(data: Metal3Data, world: DataWorld): Promise<Outcome> {
  if (!hasFinalizer(data, METAL3_DATA_CLAIM_FINALIZER) && !passedOver.has(data)) {
    passedOver.add(data);
    return unseenDeletion(data);
  }
  await letGo(world.api, Metal3Data, data, METAL3_DATA_CLAIM_FINALIZER);
  return done();
}

/** Rendered before, and its secrets are there: neither pools nor hosts are read for it. */
function isComplete(data: Metal3Data, world: DataWorld): boolean {
  const { metaData, networkData } = data.spec ?? {};
  const names = [metaData?.name, networkData?.name].filter(name => name !== undefined);
  return data.status?.ready === true && names.every(name => standingOfSecret(data, name, world) === 'there');
}

/** Undefined: all is there. */
async function rendered(subject: Subject<Metal3Data>, world: DataWorld): Promise<Wait | undefined> {
  const noCluster = missingCluster(subject.object, world);
  if (noCluster !== undefined) return noCluster;
  const wanting = wantingOf(subject.object, world);
  if (isWait(wanting)) return wanting;
  await nameSecrets(subject, wanting, world);
  const missing: Section[] = [];
  for (const section of sectionsOf(subject.object, wanting)) {
    const standing = standingOfSecret(subject.object, section.name, world);
    if (standing === 'missing') missing.push(section);
    else if (standing !== 'there') return standing;
  }
  return missing.length === 0 ? undefined : make(missing, subject.object, { wanting, world });
}

interface Section {
  readonly name: string;
  readonly key: string;
  readonly render: typeof renderMetaData;
}

function sectionsOf({ spec }: Metal3Data, { template, metal3Machine }: Wanting): readonly Section[] {
  const { name } = metal3Machine.metadata;
  const meta = { name: spec?.metaData?.name ?? metaDataSecretName(name), key: META_DATA_KEY, render: renderMetaData };
  const network = {
    name: spec?.networkData?.name ?? networkDataSecretName(name),
    key: NETWORK_DATA_KEY,
    render: renderNetworkData,
  };
  return [
    ...(template.spec?.metaData === undefined ? [] : [meta]),
    ...(template.spec?.networkData === undefined ? [] : [network]),
  ];
}

/** Datas that others made do not name their secrets yet. */
async function nameSecrets(subject: Subject<Metal3Data>, wanting: Wanting, world: DataWorld): Promise<void> {
  const { namespace = '', uid, resourceVersion } = subject.object.metadata;
  const names = sectionsOf(subject.object, wanting).map(({ key, name }) => [key, { name, namespace }] as const);
  const unnamed = names.filter(([key]) => refOf(subject.object, key) === undefined);
  if (unnamed.length === 0) return;
  const body = { metadata: { uid, resourceVersion }, spec: Object.fromEntries(unnamed) };
  subject.object = await world.api.patch(Metal3Data, keyOf(subject.object), body);
}

const refOf = ({ spec }: Metal3Data, key: string): string | undefined =>
  key === META_DATA_KEY ? spec?.metaData?.name : spec?.networkData?.name;

interface Around {
  readonly wanting: Wanting;
  readonly world: DataWorld;
}

async function make(sections: readonly Section[], data: Metal3Data, around: Around): Promise<Wait | undefined> {
  const { wanting, world } = around;
  const sources = sourcesOf(data, wanting, world);
  if (isWait(sources)) return sources;
  const addresses = await addressesFor(data, sources, world);
  if (isWait(addresses)) return addresses;
  const input = {
    ...sources,
    index: data.spec?.index ?? 0,
    namespace: data.metadata.namespace ?? '',
    addresses,
  };
  // Rendered before the first is made: a section that is refused leaves no half of the data behind.
  const texts = sections.map(section => ({ ...section, text: section.render(input) ?? '' }));
  const annotations = noteOf(givenAddresses(data, world));
  for (const { name, key, text } of texts) {
    const what = { name, key, text, annotations, clusterName: sources.machine.spec.clusterName };
    const wait = await makeSecret(data, what, world);
    if (wait !== undefined) return wait;
  }
  return undefined;
}

/** All leases are asked for at once; the first that waits is what is told. One that fails stops no other (metal-g). */
async function addressesFor(
  data: Metal3Data,
  sources: Sources,
  world: DataWorld,
): Promise<ReadonlyMap<string, PoolAddress> | Wait> {
  const { template, machine, metal3Machine, host } = sources;
  const pools = poolReferencesOf(template, { machine, metal3Machine, host });
  const leasing = { data, host: host.metadata.name, hostNamedClaims: world.settings.hostNamedClaims };
  const results = await Promise.allSettled(
    pools.map(async pool => [pool.name, await addressOf(pool, leasing, world)] as const),
  );
  const addresses = new Map<string, PoolAddress>();
  const waits: Wait[] = [];
  for (const result of results) {
    if (result.status === 'rejected') throw result.reason;
    const [name, address] = result.value;
    if (isWait(address)) waits.push(address);
    else addresses.set(name, address);
  }
  return waits[0] ?? addresses;
}
