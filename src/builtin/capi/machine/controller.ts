// Machines: one host and its Node each, from the provider's first word to the last.

import { Cluster } from '../../../kinds/generated/cluster.generated.ts';
import { Machine } from '../../../kinds/generated/machine.generated.ts';
import type { KubeWorld, StepController, WokenBy } from '../../../kube/controller.ts';
import { Node } from '../../../kube/core/node.ts';
import { CustomResourceDefinition } from '../../../kube/core/other.ts';
import { Pod } from '../../../kube/core/pod.ts';
import type { Kind } from '../../../kube/kind.ts';
import { controllerOf, keyOf, keyText, labelOf, type ObjectKey } from '../../../kube/object.ts';
import { CONTROL_PLANE_LABEL } from '../names.ts';
import { isPaused } from '../pause.ts';
import { availability, phaseOf } from './availability.ts';
import { bootstrap } from './bootstrap.ts';
import { machineDeletion } from './deletion.ts';
import { infrastructure } from './infrastructure.ts';
import { drainingMachinesOf, machinesOfCluster, machinesOfNode } from './machines.ts';
import { node } from './node.ts';
import type { NodesElsewhere } from './node-source.ts';
import type { MachineOptions } from './world.ts';

export function machineController(options: MachineOptions): StepController<Machine, KubeWorld> {
  return {
    name: 'machine',
    kind: Machine,
    wokenBy: [
      {
        kind: Cluster,
        keysFor: ({ metadata }, world) => machinesOfCluster(metadata.namespace ?? '', metadata.name, world).map(keyOf),
      },
      { kind: Node, keysFor: machinesOfNode },
      { kind: Pod, keysFor: drainingMachinesOf },
      // A control-plane Machine decides whether the Nodes of the others may be removed.
      {
        kind: Machine,
        keysFor: (machine, world) =>
          labelOf(machine, CONTROL_PLANE_LABEL) === undefined ? [] : siblings(machine as Machine, world),
      },
      { kind: CustomResourceDefinition, keysFor: (_crd, world) => world.caches.of(Machine).list().map(keyOf) },
      ...options.watched.map(ownedBy),
    ],
    reads: [Cluster, Node, Pod, CustomResourceDefinition, ...options.watched],
    // The bootstrap data and the host wait for each other's providers: neither is held by the other here.
    always: [bootstrap(options), availability(options)],
    inOrder: [infrastructure(options), node(options)],
    ...(options.nodesElsewhere === undefined ? {} : { wakes: wakesBy(options.nodesElsewhere) }),
    deletion: machineDeletion(options),
    paused: isPaused,
    pausesDeletion: isPaused,
    workers: 10,
    summarize: (machine, pass) => ({ phase: pass.deleting ? 'Deleting' : phaseOf(machine) }),
  };
}

/** The Machines of a Cluster whose API is known now, or is no more; or those that a Node there concerns. */
const wakesBy =
  (elsewhere: NodesElsewhere) =>
  (world: KubeWorld, wake: (key: ObjectKey) => void): void => {
    elsewhere.onChange(({ namespace = '', name }, changed) => {
      const members = machinesOfCluster(namespace, name, world).map(keyOf);
      const concerned = changed === undefined ? undefined : new Set(machinesOfNode(changed, world).map(keyText));
      for (const key of members) if (concerned === undefined || concerned.has(keyText(key))) wake(key);
    });
  };

const siblings = ({ metadata, spec }: Machine, world: KubeWorld) =>
  machinesOfCluster(metadata.namespace ?? '', spec.clusterName, world).map(keyOf);

function ownedBy(kind: Kind): WokenBy<KubeWorld> {
  return {
    kind,
    keysFor: object => {
      const owner = controllerOf(object);
      if (owner?.kind === Machine.kind) return [{ namespace: object.metadata.namespace ?? '', name: owner.name }];
      // Made with the Machine's name, and not yet owned.
      return owner === undefined ? [keyOf(object)] : [];
    },
  };
}
