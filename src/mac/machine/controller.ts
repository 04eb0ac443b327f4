// Keeps one rented Mac behind each ScalewayAppleSiliconMachine.

import { Cluster } from '../../kinds/generated/cluster.generated.ts';
import { Machine } from '../../kinds/generated/machine.generated.ts';
import { CLUSTER_NAME_LABEL } from '../../kinds/wire.ts';
import type { StepController, WokenBy } from '../../kube/controller.ts';
import { Node } from '../../kube/core/node.ts';
import { Pod } from '../../kube/core/pod.ts';
import { isDeleting, keyOf, labelOf } from '../../kube/object.ts';
import type { MacWorld } from '../world.ts';
import { adoption } from './adoption.ts';
import { hostSetUp } from './bootstrap/host-set-up.ts';
import { startClean } from './bootstrap/start-clean.ts';
import { clusterReadiness, isPaused } from './cluster-readiness.ts';
import { configPush } from './config-push.ts';
import { credentials } from './credentials.ts';
import { deletion, isBeingMoved } from './deletion.ts';
import { fleetKey } from './fleet-key.ts';
import { givenBack } from './given-back.ts';
import { MacMachine } from './mac-machine.ts';
import { nodePresence } from './node-presence.ts';
import { machines, machinesNamed, machinesOn } from './other-machines.ts';
import { phaseOf } from './phase.ts';
import { cleanStartOf } from './release-record.ts';

export const macMachine: StepController<MacMachine, MacWorld> = {
  name: 'mac-machine',
  kind: MacMachine,
  wokenBy: [owner(), cluster(), sameNode(), sameHost(), podOfDeleted()],
  reads: [Machine, Cluster, Node],
  inOrder: [clusterReadiness, givenBack, fleetKey, adoption, credentials, startClean, hostSetUp],
  always: [nodePresence, configPush],
  deletion,
  paused: isPaused,
  pausesDeletion: isBeingMoved,
  summarize: (machine, pass) => ({ phase: phaseOf(machine, pass) }),
};

/** The Machine whose infrastructure this is. */
function owner(): WokenBy<MacWorld> {
  return {
    kind: Machine,
    keysFor(object) {
      const { spec, metadata } = object as Machine;
      if (spec?.infrastructureRef?.kind !== MacMachine.kind) return [];
      return [{ namespace: metadata.namespace ?? '', name: spec.infrastructureRef.name }];
    },
  };
}

function cluster(): WokenBy<MacWorld> {
  return {
    kind: Cluster,
    keysFor: ({ metadata }, world) =>
      machines(world)
        .list(metadata.namespace)
        .filter(machine => labelOf(machine, CLUSTER_NAME_LABEL) === metadata.name)
        .map(keyOf),
  };
}

function sameNode(): WokenBy<MacWorld> {
  return { kind: Node, keysFor: ({ metadata }, world) => machinesNamed(metadata.name, world).map(keyOf) };
}

/** A clean start by one machine is what another one with the same host, or of the same name, waits for (safe-9, safe-11). */
function sameHost(): WokenBy<MacWorld> {
  return {
    kind: MacMachine,
    keysFor(machine, world) {
      const hostId = cleanStartOf(machine)?.hostId;
      const onHost = hostId === undefined ? [] : machinesOn(hostId, world);
      const concerned = [...onHost, ...machinesNamed(machine.metadata.name, world)];
      return concerned.filter(other => other.metadata.uid !== machine.metadata.uid).map(keyOf);
    },
  };
}

/** The last stage of a deletion waits for Pods. Those of a machine that stays concern its agent alone. */
function podOfDeleted(): WokenBy<MacWorld> {
  return {
    kind: Pod,
    keysFor(pod, world) {
      const { nodeName } = (pod as Pod).spec;
      return nodeName === undefined ? [] : machinesNamed(nodeName, world).filter(isDeleting).map(keyOf);
    },
  };
}
