// Says that a TuistCluster is ready, and that its Cluster has a control plane: this cluster's own, which no Machine runs.

import { seconds } from '../../base/clock.ts';
import { Cluster } from '../../kinds/generated/cluster.generated.ts';
import { TuistCluster } from '../../kinds/generated/tuist-cluster.generated.ts';
import { PAUSED_ANNOTATION } from '../../kinds/wire.ts';
import { conditionOf, withVerdicts } from '../../kube/conditions.ts';
import type { Step, StepController } from '../../kube/controller.ts';
import { annotationOf, isDeleting } from '../../kube/object.ts';
import { done, type Outcome } from '../../kube/outcome.ts';
import type { MacWorld } from '../world.ts';

export const tuistCluster: StepController<TuistCluster, MacWorld> = {
  name: 'tuist-cluster',
  kind: TuistCluster,
  // Without it the first deployment waits for ever: the owner comes later than the object (mac-F10).
  wokenBy: [
    {
      kind: Cluster,
      keysFor(object) {
        const { spec, metadata } = object as Cluster;
        const ref = spec?.infrastructureRef;
        return ref?.kind === TuistCluster.kind ? [{ namespace: metadata.namespace ?? '', name: ref.name }] : [];
      },
    },
  ],
  reads: [Cluster],
  inOrder: [infrastructure()],
  always: [controlPlane()],
  paused: cluster => annotationOf(cluster, PAUSED_ANNOTATION) !== undefined,
};

function infrastructure(): Step<TuistCluster, MacWorld> {
  return { condition: 'Ready', run: async () => done({ status: { ready: true } }) };
}

function controlPlane(): Step<TuistCluster, MacWorld> {
  return {
    condition: 'ControlPlaneAnnounced',
    async run(tuist, world) {
      const owner = tuist.metadata.ownerReferences?.find(({ kind }) => kind === Cluster.kind);
      if (owner === undefined) return done(undefined, seconds(300));
      const key = { namespace: tuist.metadata.namespace ?? '', name: owner.name };
      const cluster = world.caches.of(Cluster).get(key);
      return cluster === undefined || isDeleting(cluster) ? done() : announce(cluster, world);
    },
  };
}

/** Both spellings: the condition is v1beta1's, the field v1beta2's. A Cluster with a control plane of its own speaks for itself. */
async function announce(cluster: Cluster, { api, clock }: MacWorld): Promise<Outcome> {
  if (cluster.spec?.controlPlaneRef !== undefined) return done();
  const isAnnounced = conditionOf(cluster, INITIALIZED)?.status === 'True';
  if (isAnnounced && cluster.status?.initialization?.controlPlaneInitialized === true) return done();
  const { name, namespace, resourceVersion } = cluster.metadata;
  const verdict = { type: INITIALIZED, status: 'True', reason: 'ProvidedByHostCluster', message: '' } as const;
  const conditions = withVerdicts(cluster.status?.conditions ?? [], [verdict], clock.now());
  const status = { conditions, initialization: { controlPlaneInitialized: true }, controlPlaneReady: true };
  const key = { namespace: namespace ?? '', name };
  await api.patch(Cluster, key, { metadata: { resourceVersion }, status }, { subresource: 'status' });
  return done();
}

const INITIALIZED = 'ControlPlaneInitialized';
