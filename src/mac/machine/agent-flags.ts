// The flags with which a machine's agent runs; upstream's names, so that either agent understands them.

import { FLEET_LABEL } from '../../kinds/wire.ts';
import type { MacSettings } from '../world.ts';
import { ROOT_MARK, STATE_DIR, USER_DATA_DIR } from './bootstrap/agent-job.ts';
import { KUBECONFIG_PATH } from './bootstrap/kubeconfig.ts';
import { fleetOf, type MacMachine, nodeName, providerIdOf } from './mac-machine.ts';

/** Paths begin with `ROOT_MARK`, which the host resolves. `user` is the host's, in whose name the agent runs. */
export function agentFlags(machine: MacMachine, user: string, settings: MacSettings): readonly string[] {
  const guests = Math.max(1, positive(machine.spec?.guestCapacity, settings.guestCapacity));
  return [
    `--node-name=${nodeName(machine)}`,
    `--kubeconfig=${ROOT_MARK}${KUBECONFIG_PATH}`,
    `--host-cpu=${positive(machine.spec?.hostCPU, settings.hostCpu)}`,
    `--host-memory-mb=${positive(machine.spec?.hostMemoryMB, settings.hostMemoryMb)}`,
    `--max-pods=${positive(machine.spec?.maxPods, settings.maxPods)}`,
    `--min-goldens-kept=${guests}`,
    `--node-labels=${FLEET_LABEL}=${fleetOf(machine)}`,
    `--provider-id=${providerIdOf(machine) ?? ''}`,
    `--tart-binary=${ROOT_MARK}/usr/local/bin/tart`,
    `--tart-home=${ROOT_MARK}/Users/${user}/.tart`,
    `--user-data-dir=${ROOT_MARK}${USER_DATA_DIR}`,
    `--state-dir=${ROOT_MARK}${STATE_DIR}`,
  ];
}

/** 0 and absent mean the manager's default. */
function positive(value: number | undefined, usual: number): number {
  return value === undefined || value <= 0 ? usual : value;
}
