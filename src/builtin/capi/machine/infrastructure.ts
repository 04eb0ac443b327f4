// The host behind a Machine: owned by it, waited for until the provider says that it is there, and where.

import { Cluster } from '../../../kinds/generated/cluster.generated.ts';
import { Machine } from '../../../kinds/generated/machine.generated.ts';
import { CLUSTER_NAME_LABEL } from '../../../kinds/wire.ts';
import type { KubeWorld, Step } from '../../../kube/controller.ts';
import { controllerOf, labelOf } from '../../../kube/object.ts';
import { done, type Outcome, wait } from '../../../kube/outcome.ts';
import { SET_NAME_LABEL } from '../names.ts';
import { ensureBelongs, ownerReference } from '../ownership.ts';
import { clusterOf } from '../pause.ts';
import { keyIn, lookUp } from '../provider/lookup.ts';
import { excuseOf, isProvisioned, type ProviderObject } from '../provider/object.ts';
import { type Contract, type Resolved, waitTarget } from '../provider/references.ts';
import { waitForKind } from './bootstrap.ts';
import type { MachineOptions } from './world.ts';

export function infrastructure(options: MachineOptions): Step<Machine, KubeWorld> {
  return {
    condition: 'InfrastructureReady',
    run: async (machine, world) => {
      const cluster = clusterOf(machine, world);
      const { namespace = '' } = machine.metadata;
      if (cluster === undefined) {
        const on = { kind: Cluster, namespace, name: machine.spec.clusterName };
        return wait(on, `Cluster ${machine.spec.clusterName} to exist`, options.recheckMs, { reason: 'NoCluster' });
      }
      await belongToCluster(machine, cluster, world);
      const reference = machine.spec.infrastructureRef;
      const sought = await lookUp(reference, { namespace, world, watched: options.watched });
      if (sought.kind === 'noSuchKind') return waitForKind(reference.kind, options);
      if (sought.kind === 'absent') return absent(machine, sought.as, options);
      const host = await own(machine, sought.object, sought.as, world);
      return readiness(machine, host, { as: sought.as, options });
    },
  };
}

/** A Machine that no set acts for hangs on its Cluster itself. */
async function belongToCluster(machine: Machine, cluster: Cluster, world: KubeWorld): Promise<void> {
  const labels = { [CLUSTER_NAME_LABEL]: machine.spec.clusterName };
  const isAlone = controllerOf(machine) === undefined && labelOf(machine, SET_NAME_LABEL) === undefined;
  const owner = isAlone ? ownerReference(Cluster, cluster, 'owner') : controllerOf(machine);
  if (owner !== undefined) await ensureBelongs(Machine, machine, { owner, labels }, world);
}

function own(machine: Machine, host: ProviderObject, as: Resolved, world: KubeWorld): Promise<ProviderObject> {
  const labels = { [CLUSTER_NAME_LABEL]: machine.spec.clusterName };
  return ensureBelongs(as.kind, host, { owner: ownerReference(Machine, machine, 'controller'), labels }, world);
}

/** Before it was provisioned an absent host is still to come; afterwards it is a loss that somebody must see. */
function absent(machine: Machine, as: Resolved, options: MachineOptions): Outcome {
  const { kind, name } = machine.spec.infrastructureRef;
  const { namespace = '' } = machine.metadata;
  const target = waitTarget(as.kind, keyIn(as, name, namespace), options.watched);
  if (machine.status?.initialization?.infrastructureProvisioned === true) {
    const lost = `${kind} ${name}, which was deleted while the Machine exists: delete the Machine, or bring it back`;
    return wait(target, lost, options.recheckMs, { reason: 'Deleted' });
  }
  return wait(target, `${kind} ${name} to exist`, options.recheckMs, { reason: 'DoesNotExist' });
}

function readiness(
  machine: Machine,
  host: ProviderObject,
  on: { readonly as: Resolved; readonly options: MachineOptions },
): Outcome {
  const { kind, name } = machine.spec.infrastructureRef;
  const { namespace = '' } = machine.metadata;
  const target = waitTarget(on.as.kind, keyIn(on.as, name, namespace), on.options.watched);
  const change = { status: seen(host) };
  const held = missingOf(host, on.as.contract);
  if (held !== undefined) {
    return wait(target, `${kind} ${name} ${held}${excuseOf(host)}`, on.options.recheckMs, {
      reason: 'NotReady',
      change,
    });
  }
  const providerID = host.spec?.providerID ?? machine.spec.providerID;
  const failureDomain = host.status?.failureDomain ?? host.spec?.failureDomain;
  const status = {
    ...change.status,
    initialization: { infrastructureProvisioned: true },
    ...(failureDomain === undefined ? {} : { failureDomain }),
  };
  return done({ ...(providerID === machine.spec.providerID ? {} : { spec: { providerID } }), status });
}

/** A Machine waits for the provider id even when the host says that it is ready. */
function missingOf(host: ProviderObject, contract: Contract): string | undefined {
  if (!isProvisioned(host, contract)) return 'to be provisioned';
  return (host.spec?.providerID ?? '') === '' ? 'to have a provider id' : undefined;
}

const seen = ({ status }: ProviderObject): Readonly<Record<string, unknown>> =>
  status?.addresses === undefined ? {} : { addresses: status.addresses };
