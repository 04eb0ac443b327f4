// A cluster with Pods and a cloud with Macs, as the proofs about a Pod's VM see them: real API handler, modelled cloud.

import { inProcess } from '../../sim/scaleway/in-process.ts';
import { ScalewayModel } from '../../sim/scaleway/model.ts';
import { virtualClock } from '../../sim/time/clock.ts';
import { seededRandom } from '../../sim/time/random.ts';
import { kubeTime } from '../../src/base/clock.ts';
import { noMetrics } from '../../src/base/metrics.ts';
import { clusterUidOf } from '../../src/deletion/cluster.ts';
import { AbsenceJournal } from '../../src/deletion/journal.ts';
import type { Proof } from '../../src/deletion/proof.ts';
import { inProcessApi } from '../../src/fleet/api.ts';
import { appleSiliconProviderId, HOST_ID, RUNTIME_LABEL, VM_CLEANUP } from '../../src/kinds/wire.ts';
import type { Api } from '../../src/kube/api.ts';
import { client } from '../../src/kube/client.ts';
import { Node } from '../../src/kube/core/node.ts';
import { Pod } from '../../src/kube/core/pod.ts';
import type { MachineHost } from '../../src/mac/pods/binding.ts';
import { cloudWitness } from '../../src/mac/pods/cloud-witness.ts';
import { vmGone } from '../../src/mac/pods/vm-gone.ts';

export async function podWorld() {
  const clock = virtualClock();
  const random = seededRandom(1);
  const served = await inProcessApi({ clock, random });
  const api = client(served.transport, { clock });
  const cloud = new ScalewayModel({ clock, random });
  const machines: MachineHost[] = [];
  const warnings: string[] = [];
  const witness = cloudWitness({
    cloud: inProcess(cloud),
    zones: () => ['fr-par-1'],
    projectId: cloud.state.projectId,
  });
  const events = { normal: () => undefined, warning: (_: unknown, reason: string) => warnings.push(reason) };
  const world = {
    api,
    clock,
    witness,
    events,
    metrics: noMetrics,
    journal: new AbsenceJournal(clock),
    machineHosts: async () => machines,
    clusterUid: await clusterUidOf(api),
  };
  return {
    ...world,
    world,
    cloud,
    machines,
    warnings,
    /** Asks for a proof now. */
    prove: (pod: Pod): Promise<Proof> => vmGone.prove(pod, world),
    /** Asks until a proof comes, or `tries` answers were refusals; time passes as each refusal says. */
    async proveWithin(pod: Pod, tries: number): Promise<Proof> {
      let proof = await vmGone.prove(pod, world);
      for (let n = 1; n < tries && proof.kind !== 'absent'; n++) {
        await clock.advance(proof.recheckMs ?? 30_000);
        proof = await vmGone.prove(pod, world);
      }
      return proof;
    },
    hostId: (name: string): string => appleSiliconProviderId('fr-par-1', cloud.byName(name)?.id ?? 'none'),
    /** A Node that runs Linux, so that the view of the cluster is not empty. */
    linuxNode: (name: string): Promise<Node> => createNode(api, { name }),
    macNode: (name: string, providerID: string): Promise<Node> =>
      createNode(api, { name, providerID, labels: { [RUNTIME_LABEL]: 'tart' } }),
    pod: (name: string, nodeName: string, stamp?: string): Promise<Pod> => createPod(api, { name, nodeName, stamp }),
    /** A machine of that name, created at this moment, with what it has on record. */
    machine(name: string, record: Partial<MachineHost> = {}): MachineHost {
      const creationTimestamp = kubeTime(clock.now());
      const machine = { apiVersion: 'v1', kind: 'M', metadata: { name, namespace: 'default', creationTimestamp } };
      const host = { machine, providerId: undefined, released: undefined, cleanStart: undefined, ...record };
      machines.push(host);
      return host;
    },
    timeNow: (): string => kubeTime(clock.now()),
  };
}

function createNode(
  api: Api,
  node: { name: string; providerID?: string; labels?: Record<string, string> },
): Promise<Node> {
  const { name, providerID, labels = {} } = node;
  return api.create(Node, {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels },
    spec: providerID === undefined ? {} : { providerID },
  });
}

function createPod(api: Api, pod: { name: string; nodeName: string; stamp: string | undefined }): Promise<Pod> {
  return api.create(Pod, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: pod.name,
      namespace: 'default',
      finalizers: [VM_CLEANUP],
      annotations: pod.stamp === undefined ? {} : { [HOST_ID]: pod.stamp },
    },
    spec: { nodeName: pod.nodeName, containers: [{ name: 'vm', image: 'example.com/macos:1' }] },
  });
}
