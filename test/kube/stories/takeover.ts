// A Mac that upstream's provider and agent ran, taken over by Pippin: its VMs live on under their names (safe-26).

import assert from 'node:assert/strict';
import type { SimServer } from '../../../sim/scaleway/state.ts';
import { kubeTime } from '../../../src/base/clock.ts';
import { HOST_ID, PAUSED_ANNOTATION, RUNTIME_LABEL, RUNTIME_TART } from '../../../src/kinds/wire.ts';
import { Node } from '../../../src/kube/core/node.ts';
import { Secret } from '../../../src/kube/core/other.ts';
import { Pod } from '../../../src/kube/core/pod.ts';
import { MacMachine } from '../../../src/mac/machine/mac-machine.ts';
import { secondsText } from '../../stories/telling/scenario.ts';
import { INFRA, type Place } from './place.ts';
import type { RealScenario } from './scenario.ts';

const IMAGE = 'registry.example/macos:26';
const PODS = ['up-1', 'up-2'] as const;
/** Long before Pippin. */
const THEN = kubeTime(Date.UTC(2025, 11, 31));

export const takeover: RealScenario = {
  id: 'upstream',
  name: 'a Mac taken over with two running upstream VMs keeps both, under their names',
  run: async place => {
    const host = place.orderMac();
    await runUpstreamVms(place, host);
    const before = processes(place, host);
    assert.equal(before.length, 2);
    host.name = place.mac;
    place.fleet.hosts.mac(host.id).sudo = true;
    place.fleet.cloud.createSSHKey('upstream', 'ssh-ed25519 AAAA upstream');
    await createAsUpstreamLeftIt(place, host);
    for (const name of PODS) await createUpstreamPod(place, name);
    await place.kubectl('annotate', 'scalewayapplesiliconmachine', place.mac, `${PAUSED_ANNOTATION}-`);
    const adopted = (name: string) => place.view.pod(place.ns, name)?.metadata.annotations ?? {};
    const stamped = () => PODS.every(name => HOST_ID in adopted(name) && place.runs(name));
    const tookMs = await place.must('our agent has taken both Pods over', stamped);
    await place.podGcHasJudged();
    assert.deepEqual(processes(place, host), before, 'the same two VMs, the same processes');
    assert.ok(
      PODS.every(name => place.runs(name)),
      `both Pods run: ${place.state()}`,
    );
    assert.equal(host.wipes, 0);
    return `both Pods taken over ${secondsText(tookMs)} after the machine was unpaused; the same two processes under their old names`;
  },
};

/** `name: pid` of the VMs that run there. */
function processes({ fleet }: Place, host: SimServer): readonly string[] {
  const { tart } = fleet.agents.on(host.id);
  return tart.running().map(vm => `${vm}: ${tart.host.holderOf(vm)}`);
}

async function runUpstreamVms({ fleet, ns }: Place, host: SimServer): Promise<void> {
  const { tart } = fleet.agents.on(host.id);
  await tart.pull(IMAGE, () => undefined);
  for (const name of PODS) {
    await tart.clone(IMAGE, `${ns}-${name}`);
    await tart.run(`${ns}-${name}`, { shares: [] });
  }
}

/** Adopted and set up, its Node there; paused while the one manager is exchanged for the other. */
async function createAsUpstreamLeftIt(place: Place, host: SimServer): Promise<void> {
  const { api, ns, mac } = place;
  const providerID = place.providerIdOf(host);
  const labels = { [RUNTIME_LABEL]: RUNTIME_TART };
  await api.create(Node, { apiVersion: 'v1', kind: 'Node', metadata: { name: mac, labels }, spec: { providerID } });
  await api.create(Secret, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: `${mac}-bootstrap`, namespace: ns },
    stringData: { 'sudo-password': host.sudoPassword },
  });
  const finalizers = ['scalewayapplesilicon.cluster.x-k8s.io/finalizer'];
  const annotations = { [PAUSED_ANNOTATION]: 'true' };
  const metadata = { namespace: ns, name: mac, finalizers, annotations };
  const spec = { providerID, adoptPoolPrefix: place.pool };
  await api.create(MacMachine, { apiVersion: INFRA, kind: MacMachine.kind, metadata, spec });
  const conditions = ['Provisioned', 'Bootstrapped'].map(type => ({ type, status: 'True', lastTransitionTime: THEN }));
  const status = { ready: true, phase: 'Ready', serverID: host.id, conditions };
  await api.patch(MacMachine, { namespace: ns, name: mac }, { status }, { subresource: 'status' });
}

async function createUpstreamPod(place: Place, name: string): Promise<void> {
  await place.createHeldPod(name, place.mac);
  const container = {
    name: 'vm',
    image: IMAGE,
    imageID: '',
    containerID: `tart://${place.ns}-${name}`,
    ready: true,
    restartCount: 0,
    state: { running: { startedAt: THEN } },
  };
  const status = { phase: 'Running', containerStatuses: [container] };
  await place.api.patch(Pod, { namespace: place.ns, name }, { status }, { subresource: 'status' });
}
