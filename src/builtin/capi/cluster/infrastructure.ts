// What a Cluster's machines share: owned by the Cluster, waited for, and the API's address taken over from it.

import { Cluster } from '../../../kinds/generated/cluster.generated.ts';
import { CLUSTER_NAME_LABEL } from '../../../kinds/wire.ts';
import type { KubeWorld, Step } from '../../../kube/controller.ts';
import { CustomResourceDefinition } from '../../../kube/core/other.ts';
import { type Change, done, wait } from '../../../kube/outcome.ts';
import { ensureBelongs, ownerReference } from '../ownership.ts';
import { keyIn, lookUp } from '../provider/lookup.ts';
import { excuseOf, isProvisioned, type ProviderObject } from '../provider/object.ts';
import { waitTarget } from '../provider/references.ts';
import type { ClusterOptions } from './controller.ts';

const PROVISIONED = { initialization: { infrastructureProvisioned: true }, infrastructureReady: true };

export function infrastructure(options: ClusterOptions): Step<Cluster, KubeWorld> {
  return {
    condition: 'InfrastructureReady',
    run: async (cluster, world) => {
      const reference = cluster.spec?.infrastructureRef;
      if (reference === undefined) return done({ status: PROVISIONED });
      const { kind, name } = reference;
      const { namespace = '' } = cluster.metadata;
      const sought = await lookUp(reference, { namespace, world, watched: options.watched });
      if (sought.kind === 'noSuchKind') {
        const on = { kind: CustomResourceDefinition, name: kind };
        return wait(on, `a CRD for the kind ${kind}`, options.recheckMs, { reason: 'NoSuchKind' });
      }
      const target = waitTarget(sought.as.kind, keyIn(sought.as, name, namespace), options.watched);
      if (sought.kind === 'absent') {
        return wait(target, `${kind} ${name} to exist`, options.recheckMs, { reason: 'DoesNotExist' });
      }
      const labels = { [CLUSTER_NAME_LABEL]: cluster.metadata.name };
      const owner = ownerReference(Cluster, cluster, 'controller');
      const shared = await ensureBelongs(sought.as.kind, sought.object, { owner, labels }, world);
      if (!isProvisioned(shared, sought.as.contract)) {
        const what = `${kind} ${name} to be provisioned${excuseOf(shared)}`;
        return wait(target, what, options.recheckMs, { reason: 'NotReady' });
      }
      return done({ ...endpointFrom(shared, cluster), status: PROVISIONED });
    },
  };
}

/** Taken over once; one that a person has set stands. */
function endpointFrom(shared: ProviderObject, cluster: Cluster): Pick<Change, 'spec'> {
  const given = shared.spec?.controlPlaneEndpoint;
  if ((cluster.spec?.controlPlaneEndpoint?.host ?? '') !== '' || (given?.host ?? '') === '') return {};
  return { spec: { controlPlaneEndpoint: { host: given?.host, port: given?.port } } };
}
