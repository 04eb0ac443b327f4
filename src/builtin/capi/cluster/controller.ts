// Clusters: what a group of machines shares, from its infrastructure to the end of its last descendant.

import { Cluster } from '../../../kinds/generated/cluster.generated.ts';
import { Machine } from '../../../kinds/generated/machine.generated.ts';
import { MachineDeployment } from '../../../kinds/generated/machine-deployment.generated.ts';
import { MachineSet } from '../../../kinds/generated/machine-set.generated.ts';
import type { KubeWorld, StepController, WokenBy } from '../../../kube/controller.ts';
import { CustomResourceDefinition } from '../../../kube/core/other.ts';
import type { Kind } from '../../../kube/kind.ts';
import { type KubeObject, keyOf } from '../../../kube/object.ts';
import { isPaused } from '../pause.ts';
import { controlPlane } from './control-plane.ts';
import { clusterDeletion } from './deletion.ts';
import { infrastructure } from './infrastructure.ts';

export interface ClusterOptions {
  /** Kinds of providers' clusters and control planes whose changes wake Clusters. */
  readonly watched: readonly Kind[];
  readonly recheckMs: number;
}

export function clusterController(options: ClusterOptions): StepController<Cluster, KubeWorld> {
  return {
    name: 'cluster',
    kind: Cluster,
    wokenBy: [
      ...[MachineDeployment, MachineSet, Machine].map(
        (kind): WokenBy<KubeWorld> => ({ kind, keysFor: clusterNamedBy }),
      ),
      { kind: CustomResourceDefinition, keysFor: (_crd, world) => world.caches.of(Cluster).list().map(keyOf) },
      ...options.watched.map(ownedByCluster),
    ],
    reads: [MachineDeployment, MachineSet, Machine, CustomResourceDefinition, ...options.watched],
    always: [infrastructure(options), controlPlane(options)],
    deletion: clusterDeletion(options),
    paused: isClusterPaused,
    pausesDeletion: isClusterPaused,
    summarize: (cluster, pass) => ({ phase: pass.deleting ? 'Deleting' : phaseOf(cluster) }),
  };
}

const isClusterPaused = (cluster: Cluster, world: KubeWorld): boolean =>
  cluster.spec?.paused === true || isPaused({ ...cluster, spec: {} }, world);

interface OfCluster extends KubeObject {
  readonly spec?: { readonly clusterName?: string };
}

function clusterNamedBy(object: OfCluster) {
  const name = object.spec?.clusterName;
  return name === undefined ? [] : [{ namespace: object.metadata.namespace ?? '', name }];
}

function ownedByCluster(kind: Kind): WokenBy<KubeWorld> {
  return {
    kind,
    keysFor: (object, world) => {
      const { namespace = '', ownerReferences = [] } = object.metadata;
      const owners = ownerReferences.filter(owner => owner.kind === Cluster.kind);
      const named = world.caches
        .of(Cluster)
        .list(namespace)
        .filter(({ spec }) =>
          [spec?.infrastructureRef, spec?.controlPlaneRef].some(ref => ref?.name === object.metadata.name),
        );
      return [...owners.map(({ name }) => ({ namespace, name })), ...named.map(keyOf)];
    },
  };
}

/** Cluster API's one-word summary of a Cluster that stays. */
function phaseOf(cluster: Cluster): string {
  if (cluster.status?.initialization?.infrastructureProvisioned === true) return 'Provisioned';
  return cluster.spec?.infrastructureRef === undefined ? 'Pending' : 'Provisioning';
}
