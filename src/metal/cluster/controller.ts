// Says where a Cluster of bare-metal hosts answers and which failure domains it has; stays until its Machines are gone.

import { kubeTime, seconds } from '../../base/clock.ts';
import { Cluster } from '../../kinds/generated/cluster.generated.ts';
import { Machine } from '../../kinds/generated/machine.generated.ts';
import { Metal3Cluster } from '../../kinds/generated/metal3-cluster.generated.ts';
import { LABEL_SYNC_PREFIXES_ANNOTATION, METAL3_CLUSTER_FINALIZER } from '../../kinds/metal-wire.ts';
import { pauseRules } from '../../kinds/pause.ts';
import { CLUSTER_NAME_LABEL } from '../../kinds/wire.ts';
import type { Informer } from '../../kube/cache.ts';
import { asExpected } from '../../kube/conditions.ts';
import type { Deletion, KubeWorld, Step, StepController, WokenBy } from '../../kube/controller.ts';
import { same } from '../../kube/merge-patch.ts';
import { annotationOf, isDeleting, keyOf, labelOf } from '../../kube/object.ts';
import { type Change, done, type Outcome, wait } from '../../kube/outcome.ts';
import { prefixesOf } from '../label-sync/prefixes.ts';
import { clusterNameOf, clusterOwning } from './owner.ts';

/** Somebody else fills in this object's status: it is left to them (metal-C2). */
const MANAGED_BY_ANNOTATION = 'cluster.x-k8s.io/managed-by';

const RECHECK_MS = seconds(30);

const pause = pauseRules<Metal3Cluster, KubeWorld>(clusterOwning);

const isManagedElsewhere = (metal3Cluster: Metal3Cluster): boolean =>
  annotationOf(metal3Cluster, MANAGED_BY_ANNOTATION) !== undefined;

export const metal3Cluster: StepController<Metal3Cluster, KubeWorld> = {
  name: 'metal3-cluster',
  kind: Metal3Cluster,
  wokenBy: [cluster(), machineOfDeleted()],
  reads: [Cluster, Machine],
  inOrder: [endpoint()],
  always: [labelSyncPrefixes()],
  deletion: deletion(),
  ...pause,
  paused: (object, world) => isManagedElsewhere(object) || (pause.paused?.(object, world) ?? false),
  pauseShown: (object, world) => (isManagedElsewhere(object) ? undefined : pause.pauseShown?.(object, world)),
};

/** The Cluster comes, is paused or resumed. */
function cluster(): WokenBy<KubeWorld> {
  return {
    kind: Cluster,
    keysFor: ({ metadata }, world) => ofCluster(metadata.namespace, metadata.name, world).map(keyOf),
  };
}

/** A Metal3Cluster that stays has nothing to learn from Machines. */
function machineOfDeleted(): WokenBy<KubeWorld> {
  return {
    kind: Machine,
    keysFor: (machine, world) =>
      ofCluster(machine.metadata.namespace, labelOf(machine, CLUSTER_NAME_LABEL) ?? '', world)
        .filter(isDeleting)
        .map(keyOf),
  };
}

const BY_CLUSTER = 'metal.cluster';

function ofCluster(namespace: string | undefined, name: string, { caches }: KubeWorld): readonly Metal3Cluster[] {
  const informer = caches.of(Metal3Cluster);
  informer.index(BY_CLUSTER, each => [`${each.metadata.namespace}/${clusterNameOf(each)}`]);
  return informer.by(BY_CLUSTER, `${namespace}/${name}`);
}

function endpoint(): Step<Metal3Cluster, KubeWorld> {
  return {
    condition: 'Ready',
    async run(object, world) {
      if (clusterOwning(object, world) === undefined) return noOwner(object);
      const { host } = object.spec?.controlPlaneEndpoint ?? {};
      if (host === undefined || host === '') return noEndpoint(object);
      return done({
        status: { ...provisioned(object, world), ...failureDomains(object) },
        conditions: [asExpected(INFRASTRUCTURE_READY)],
      });
    },
  };
}

const INFRASTRUCTURE_READY = 'BaremetalInfrastructureReady';

function noOwner(object: Metal3Cluster): Outcome {
  const { namespace = '' } = object.metadata;
  const on = { kind: Cluster, namespace, name: clusterNameOf(object) ?? object.metadata.name };
  return wait(on, 'the Cluster that owns this object', RECHECK_MS, { reason: 'WaitingForClusterOwnerRef' });
}

/** Not `failureMessage`: Cluster API takes that as final, and the next change of the spec ends this (metal-C1). */
function noEndpoint(object: Metal3Cluster): Outcome {
  const { namespace = '', name } = object.metadata;
  const reason = 'ControlPlaneEndpointFailed';
  const what = 'spec.controlPlaneEndpoint.host, the address at which the control plane is to answer';
  const conditions = [{ type: INFRASTRUCTURE_READY, status: 'False', reason, message: `Waiting for ${what}` }] as const;
  const change = {
    conditions,
    ...(wasProvisioned(object) ? { status: { initialization: { provisioned: false } } } : {}),
  };
  return wait({ kind: Metal3Cluster, namespace, name }, what, RECHECK_MS, { reason, change });
}

/** Said here once, and not by every host whose labels are not synced for it. */
function labelSyncPrefixes(): Step<Metal3Cluster, KubeWorld> {
  const condition = 'LabelSyncPrefixesValid';
  return {
    condition,
    async run(object) {
      const prefixes = prefixesOf(object);
      if (prefixes === undefined) return done({ conditions: [{ type: condition, status: null }] });
      if (prefixes.wrong.length === 0) return done();
      const wrong = prefixes.wrong.map(entry => `"${entry}"`).join(', ');
      const what = `the annotation ${LABEL_SYNC_PREFIXES_ANNOTATION} to list DNS-1123 subdomains only: ${wrong} is none`;
      return wait({ kind: Metal3Cluster, ...keyOf(object) }, what, RECHECK_MS, { reason: 'PrefixInvalid' });
    },
  };
}

const wasProvisioned = ({ status }: Metal3Cluster): boolean => status?.initialization?.provisioned === true;

/** The time is when it last changed, so that an unchanged object is not written again. */
function provisioned(object: Metal3Cluster, { clock }: KubeWorld): Change['status'] {
  const isNews = !wasProvisioned(object) || failureDomains(object) !== undefined;
  return {
    initialization: { provisioned: true },
    ...(isNews ? { lastUpdated: kubeTime(clock.now()) } : {}),
    // What an earlier provider took for final, and is not.
    ...(object.status?.deprecated?.v1beta1?.failureReason === undefined ? {} : NO_FAILURE),
  };
}

const NO_FAILURE = { deprecated: { v1beta1: { failureReason: null, failureMessage: null } } };

function failureDomains({ spec, status }: Metal3Cluster): Change['status'] {
  if (same(spec?.failureDomains, status?.failureDomains)) return undefined;
  return { failureDomains: spec?.failureDomains ?? null };
}

function deletion(): Deletion<Metal3Cluster, KubeWorld> {
  return {
    finalizer: METAL3_CLUSTER_FINALIZER,
    async run(object, { caches }) {
      const left = machinesOf(object, caches.of(Machine)).toSorted(byName);
      const [first] = left;
      if (first === undefined) return done();
      const { namespace = '', name } = first.metadata;
      const others = left.length === 1 ? '' : ` and ${left.length - 1} more`;
      const what = `Machine ${name}${others} of Cluster ${clusterNameOf(object)} to be gone`;
      return wait({ kind: Machine, namespace, name }, what, RECHECK_MS, { reason: 'MachinesLeft' });
    },
  };
}

/** The words stay the same while the same Machines are left. */
const byName = (one: Machine, other: Machine): number => (one.metadata.name < other.metadata.name ? -1 : 1);

/** Neither the Cluster nor its Metal3Machines are asked: both may be gone (metal-i). */
function machinesOf(object: Metal3Cluster, machines: Informer<Machine>): readonly Machine[] {
  if (clusterNameOf(object) === undefined) return [];
  machines.index(BY_CLUSTER, each => [`${each.metadata.namespace}/${labelOf(each, CLUSTER_NAME_LABEL)}`]);
  return machines.by(BY_CLUSTER, `${object.metadata.namespace}/${clusterNameOf(object)}`);
}
