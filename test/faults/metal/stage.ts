// Where a scenario of the bare-metal fleet plays: in virtual time or on a real cluster, and the steps that scenarios have in common.

import type { SimulatedHosts } from '../../../sim/metal/hosts.ts';
import type { SimulatedWorkloads } from '../../../sim/metal/workloads.ts';
import { seconds } from '../../../src/base/clock.ts';
import { BareMetalHost } from '../../../src/kinds/generated/bare-metal-host.generated.ts';
import { Cluster } from '../../../src/kinds/generated/cluster.generated.ts';
import { IPPool } from '../../../src/kinds/generated/ip-pool.generated.ts';
import { Machine } from '../../../src/kinds/generated/machine.generated.ts';
import type { Metal3Data } from '../../../src/kinds/generated/metal3-data.generated.ts';
import { Metal3DataTemplate } from '../../../src/kinds/generated/metal3-data-template.generated.ts';
import type { Api } from '../../../src/kube/api.ts';
import { isNotFound } from '../../../src/kube/errors.ts';
import type { Kind } from '../../../src/kube/kind.ts';
import { createCluster, createHost, createMachine, createPool, createTemplate } from '../../world/metal/acts.ts';
import { CLUSTER, HARDWARE, NS } from '../../world/metal/names.ts';
import type { metalView } from '../../world/metal/view.ts';

export interface Stage {
  /** The administrator's own way to the API. */
  readonly api: Api;
  readonly view: ReturnType<typeof metalView>;
  readonly workloads: Pick<SimulatedWorkloads, 'open'>;
  readonly hosts: Pick<SimulatedHosts, 'is'>;
  start(process: string): void;
  stop(process: string): void;
  /** It is back after two seconds. */
  crash(process: string): void;
  /** Lets this much time pass; on a real cluster, as much of it as shows something. */
  pass(ms: number): Promise<void>;
  /** Whatever of Metal3, of its address manager and of their Secrets is there: `Metal3Data metal/template-0`, sorted. */
  left(): readonly string[];
}

/** Lets things happen until `until` holds; ends the scenario with `what` as a violation when it does not come. */
export type Must = (what: string, until: () => boolean, withinMs?: number) => Promise<void>;

export interface MetalScenario {
  /** Short and unique: `S4-template-first`; the fault explorer runs it as `metal/NAME`. */
  readonly name: string;
  /** What is expected whatever goes wrong, as a sentence. */
  readonly says: string;
  /** Programs that it does without. */
  readonly without?: readonly (typeof CLUSTER | typeof HARDWARE)[];
  /** It stops a program that others need. */
  readonly stops?: true;
  play(stage: Stage, must: Must): Promise<void>;
  /** What `left()` says at the end; nothing unless told otherwise. */
  readonly leaves?: readonly string[];
}

export const POOL = 'pool';
export const TEMPLATE = 'template';
export const WORK = 'work';
export const at = (name: string) => ({ namespace: NS, name });

/** Machines are parked, so that only claims, data and addresses are at work: no hardware, no Cluster API. */
export const QUIET = { without: [CLUSTER, HARDWARE] } as const;

/** A cluster without a workload cluster, a pool, a template, and so many hosts. */
export async function aPlainStage({ api }: Stage, hosts: number): Promise<void> {
  await createPool(api, POOL);
  await createTemplate(api, TEMPLATE, POOL);
  await createCluster(api, WORK);
  for (let n = 0; n < hosts; n++) await createHost(api, `host-${n}`);
}

/** So many machines, `machine-0` and on, each with its data and its host provisioned. */
export async function machinesRun(stage: Stage, must: Must, count: number): Promise<void> {
  await aPlainStage(stage, count);
  for (let n = 0; n < count; n++) {
    await createMachine(stage.api, `machine-${n}`, { cluster: WORK, template: TEMPLATE });
  }
  await must('all machines run', () => provisioned(stage) === count && ready(stage).length === count);
}

export const provisioned = ({ view }: Stage): number =>
  view.all(BareMetalHost).filter(({ status }) => status?.provisioning?.state === 'provisioned').length;

export const ready = ({ view }: Stage): readonly Metal3Data[] =>
  view.data().filter(({ status }) => status?.ready === true);

/** What a while later must still be so. */
export async function stays(stage: Stage, what: string, holds: () => boolean): Promise<void> {
  await stage.pass(seconds(45));
  if (!holds()) throw new Error(`it did not stay so: ${what}; left: ${stage.left().join(', ') || 'nothing'}`);
}

/** `kubectl delete --ignore-not-found`, without waiting. */
export async function gone({ api }: Stage, kind: Kind, ...names: readonly string[]): Promise<void> {
  for (const name of names) {
    await api.delete(kind, at(name)).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  }
}

/** What an impatient person does: deleted, then every finalizer off. */
export async function torn(stage: Stage, kind: Kind, name: string): Promise<void> {
  await gone(stage, kind, name);
  await stage.api.patch(kind, at(name), { metadata: { finalizers: null } }).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
}

/** Nothing of a machine is left: no claim, data, lease, address or secret, and its host is free. */
export async function machinesGo(stage: Stage, must: Must, ...names: readonly string[]): Promise<void> {
  await gone(stage, Machine, ...names);
  await must(`${names.join(', ')} and all that was made for them is gone`, () => {
    const { view } = stage;
    return (
      !names.some(name => view.machines().some(({ metadata }) => metadata.name === name)) && chain(stage).length === 0
    );
  });
}

const CHAIN = /^(Metal3DataClaim|Metal3Data|IPClaim|IPAddress|IPAddressClaim|Secret) /;

/** Claims, data, leases, addresses and secrets that are left. */
export const chain = (stage: Stage): readonly string[] => stage.left().filter(text => CHAIN.test(text));

/** Pools and templates end too. The cluster goes last, with what is left of its machines. */
export async function everythingGoes(stage: Stage): Promise<void> {
  await gone(stage, Metal3DataTemplate, TEMPLATE);
  await gone(stage, IPPool, POOL);
  await gone(stage, Cluster, ...stage.view.all(Cluster).map(({ metadata }) => metadata.name));
}
