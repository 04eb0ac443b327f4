// A fleet of simulated Macs under the Mac provider alone: real API handler, modelled cloud and hosts, virtual time.

import { seededKeys } from '../../sim/keys/seeded-keys.ts';
import { inProcessShell } from '../../sim/mac-host/in-process.ts';
import { MacHostsModel } from '../../sim/mac-host/model.ts';
import { inProcess } from '../../sim/scaleway/in-process.ts';
import { ScalewayModel } from '../../sim/scaleway/model.ts';
import type { SimServer } from '../../sim/scaleway/state.ts';
import { virtualClock } from '../../sim/time/clock.ts';
import { seededRandom } from '../../sim/time/random.ts';
import { silentLog } from '../../src/base/log.ts';
import { noMetrics } from '../../src/base/metrics.ts';
import { accountTokens } from '../../src/builtin/accounts/tokens.ts';
import { nodeCertificates } from '../../src/builtin/certificates/controller.ts';
import { AbsenceJournal } from '../../src/deletion/journal.ts';
import { inProcessApi } from '../../src/fleet/api.ts';
import { definitionsOf } from '../../src/fleet/definitions.ts';
import { openWorld } from '../../src/fleet/world.ts';
import { RUNTIME_LABEL, RUNTIME_TART, VM_CLEANUP } from '../../src/kinds/wire.ts';
import { Node } from '../../src/kube/core/node.ts';
import { CustomResourceDefinition, Namespace } from '../../src/kube/core/other.ts';
import { Pod } from '../../src/kube/core/pod.ts';
import { isAlreadyExists } from '../../src/kube/errors.ts';
import type { KubeObject } from '../../src/kube/object.ts';
import { keyController, runControllers } from '../../src/kube/run.ts';
import { macControllers } from '../../src/mac/index.ts';
import { AttemptTimes } from '../../src/mac/machine/attempts.ts';
import { MacMachine } from '../../src/mac/machine/mac-machine.ts';
import { OneAtATime } from '../../src/mac/machine/one-at-a-time.ts';
import { cloudWitness } from '../../src/mac/pods/cloud-witness.ts';
import { type MacSettings, type MacWorld, USUAL_SETTINGS } from '../../src/mac/world.ts';

export const NS = 'macs';
export const POOL = 'pool-';

export type MacTestWorld = Awaited<ReturnType<typeof macTestWorld>>;

const bundle = (digest: string) => ({ digest, bytes: () => Promise.resolve(new Uint8Array([1])) });

export async function macTestWorld(changed: Partial<MacSettings> = {}) {
  const clock = virtualClock();
  const random = seededRandom('macs');
  const served = await inProcessApi({ clock, random });
  const base = openWorld({ ...served, component: 'mac-test', clock, random, log: silentLog, metrics: noMetrics });
  const { api } = base;
  for (const each of definitionsOf()) await api.create(CustomResourceDefinition, each);
  await api.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NS } });
  const model = new ScalewayModel({ clock, random: random.stream('cloud'), keysEnter: 'at login' });
  const vms = new Map<string, Set<string>>();
  const vmsOf = (id: string): Set<string> => vms.get(id) ?? vms.set(id, new Set()).get(id) ?? new Set();
  const started: { serverId: string; flags: readonly string[]; kubeconfig: string }[] = [];
  const hosts = new MacHostsModel(model, {
    startAgent(start) {
      started.push(start);
      void registerNode(start.flags);
      return () => undefined;
    },
    removeVms(id) {
      const count = vmsOf(id).size;
      vms.delete(id);
      return count;
    },
    stopVms: () => undefined,
  });
  const flag = (flags: readonly string[], name: string): string =>
    flags.find(each => each.startsWith(`--${name}=`))?.slice(name.length + 3) ?? '';

  async function registerNode(flags: readonly string[]): Promise<void> {
    const metadata = { name: flag(flags, 'node-name'), labels: { [RUNTIME_LABEL]: RUNTIME_TART } };
    const node: Node = { apiVersion: 'v1', kind: 'Node', metadata, spec: { providerID: flag(flags, 'provider-id') } };
    await api.create(Node, node).catch((error: unknown) => {
      if (!isAlreadyExists(error)) throw error;
    });
  }

  const events: string[] = [];
  const note = (about: KubeObject, reason: string, message: string): void =>
    void events.push(`${about.metadata.name} ${reason}: ${message}`);
  const cloud = inProcess(model);
  const keys = seededKeys(random.stream('keys'));
  const artifacts = { tart: bundle('tart-1'), agent: bundle('agent-1') };
  const settings: MacSettings = {
    ...USUAL_SETTINGS,
    poolPrefix: POOL,
    apiServer: { url: 'https://api:6443', caPem: 'CA' },
    ...changed,
  };
  const world: MacWorld = {
    ...base,
    events: { normal: note, warning: note },
    cloud,
    shell: inProcessShell(hosts),
    keys,
    artifacts,
    settings,
    witness: cloudWitness({ cloud, zones: () => ['fr-par-1'], projectId: model.state.projectId }),
    journal: new AbsenceJournal(clock),
    adoptions: new OneAtATime(),
    attempts: new AttemptTimes(clock),
  };
  const signer = {
    async inspect(pem: string) {
      const read = keys.readRequest(pem);
      if (read === undefined) throw new Error('not a request');
      return { ...read, hasAlternativeNames: false };
    },
    sign: (pem: string) => Promise.resolve(`CERTIFICATE for ${pem.length}`),
  };
  let signs = true;
  let life = new AbortController();
  const begin = (): void => {
    const certificates = keyController(nodeCertificates({ signer, longestMs: 86_400_000, keptMs: 3_600_000 }));
    const tokens = keyController(accountTokens({ mint: async ({ account }) => `token of ${account.name}` }));
    const cluster = signs ? [certificates, tokens] : [tokens];
    void runControllers<MacWorld>(world, [...macControllers(), ...cluster], life.signal);
  };
  begin();

  function restart(): void {
    life.abort();
    life = new AbortController();
    begin();
  }

  return {
    api,
    clock,
    model,
    hosts,
    started,
    events,
    artifacts,
    vmsOf,
    world,
    free: (name: string): SimServer => model.order({ name: `${POOL}${name}` }),
    create: (name: string, spec: MacMachine['spec'] = {}, namespace = NS): Promise<MacMachine> =>
      api.create(MacMachine, {
        apiVersion: 'infrastructure.cluster.x-k8s.io/v1alpha1',
        kind: 'ScalewayAppleSiliconMachine',
        metadata: { name, namespace },
        spec,
      }),
    machine: (name: string, namespace = NS): Promise<MacMachine | undefined> =>
      api.find(MacMachine, { namespace, name }),
    async condition(name: string, type: string) {
      const machine = await api.find(MacMachine, { namespace: NS, name });
      return machine?.status?.conditions?.find(each => each.type === type);
    },
    delete: (name: string, namespace = NS): Promise<void> => api.delete(MacMachine, { namespace, name }),
    node: (name: string): Promise<Node | undefined> => api.find(Node, { name }),
    /** A Pod of the Mac, under the agent's finalizer. */
    pod: (name: string, nodeName: string, hostId: string): Promise<Pod> =>
      api.create(Pod, {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: {
          name,
          namespace: NS,
          finalizers: [VM_CLEANUP],
          annotations: { 'pippin.dev/host-id': hostId },
        },
        spec: { nodeName, containers: [{ name: 'vm', image: 'macos' }] },
      }),
    pods: async (): Promise<readonly string[]> => (await api.list(Pod)).items.map(pod => pod.metadata.name),
    pass: (seconds: number): Promise<void> => clock.advance(seconds * 1000),
    /** The controllers die where they are and others take over. */
    restart,
    /** From now on nobody signs what the manager asks for. */
    denyCertificates(): void {
      signs = false;
      restart();
    },
    calls: (name: string): number => model.calls.filter(call => call.name === name).length,
    async close(): Promise<void> {
      life.abort();
      model.close();
      await base.close();
      await served.close();
    },
  };
}
