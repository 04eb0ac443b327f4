// The machine is deleted, by whatever way: its Pods go with it.

import assert from 'node:assert/strict';
import { Cluster } from '../../../src/kinds/generated/cluster.generated.ts';
import { MachineDeployment } from '../../../src/kinds/generated/machine-deployment.generated.ts';
import { MachineHealthCheck } from '../../../src/kinds/generated/machine-health-check.generated.ts';
import { ScalewayAppleSiliconMachineTemplate } from '../../../src/kinds/generated/scaleway-apple-silicon-machine-template.generated.ts';
import { TuistCluster } from '../../../src/kinds/generated/tuist-cluster.generated.ts';
import type { MacMachine } from '../../../src/mac/machine/mac-machine.ts';
import { secondsText } from '../../stories/telling/scenario.ts';
import { INFRA, type Place } from './place.ts';
import type { RealScenario } from './scenario.ts';

const CAPI = 'cluster.x-k8s.io/v1beta2';
const gone = 'the machine, its Node and its Pods are gone';

export const machineGoes: readonly RealScenario[] = [
  {
    id: 'deleted',
    name: 'Pods of a deleted machine go away once its host is wiped',
    run: async place => {
      const host = await place.macWith(['a', 'b']);
      await place.kubectl('delete', 'scalewayapplesiliconmachine', place.mac, '--timeout=120s');
      const tookMs = await place.must(gone, () => place.pods().length + place.view.macs(place.ns).length === 0);
      place.assertGone(host);
      assert.equal(await place.kubectl('get', 'pods', '--output=name'), '');
      return `kubectl delete came back; the last of two Pods was gone ${secondsText(tookMs)} after it`;
    },
  },
  {
    id: 'scaled',
    name: 'a MachineDeployment scaled to zero leaves nothing',
    run: async place => {
      const host = place.orderMac();
      await createDeployment(place);
      const mac = await oneMac(place);
      await place.runPods(mac.metadata.name, ['a', 'b']);
      await place.kubectl('scale', 'machinedeployment', 'fleet', '--replicas=0');
      const left = () => place.view.macs(place.ns).length + place.view.machines(place.ns).length + place.pods().length;
      const tookMs = await place.must(gone, () => left() === 0 && place.view.node(mac.metadata.name) === undefined);
      place.assertGone(host, mac.metadata.name);
      return `Machine, infrastructure and two Pods gone ${secondsText(tookMs)} after kubectl scale`;
    },
  },
  {
    id: 'dark',
    name: 'a MachineHealthCheck replaces a dark Mac, and its Pods are not stranded',
    run: async place => {
      const host = place.orderMac();
      await createDeployment(place);
      await createHealthCheck(place);
      const old = await oneMac(place);
      await place.runPods(old.metadata.name, ['a']);
      place.orderMac('two');
      place.fleet.hosts.cutPower(host.id);
      const replaced = () => {
        const [mac, ...others] = place.view.macs(place.ns);
        return others.length === 0 && mac !== undefined && mac.metadata.uid !== old.metadata.uid;
      };
      const tookMs = await place.must('the dark machine is replaced', () => replaced() && place.pods().length === 0);
      assert.equal(host.wipes, 1);
      return `dark Mac replaced and its Pod gone ${secondsText(tookMs)} after the power cut (Node Unknown after 50 s)`;
    },
  },
  {
    id: 'late',
    name: 'a Pod created on the Node while its machine is being deleted ends too',
    run: async place => {
      const host = await place.macWith(['a']);
      await place.kubectl('delete', 'scalewayapplesiliconmachine', place.mac, '--wait=false');
      await place.must('the host is being wiped', () => host.wipes === 1);
      await place.createPod('late', place.mac);
      const left = () => place.view.macs(place.ns).length + place.pods().length;
      const tookMs = await place.must(gone, () => left() === 0);
      place.assertGone(host);
      return `the late Pod ended ${secondsText(tookMs)} after it was created on a wiped host`;
    },
  },
  {
    id: 'refused',
    name: 'a cloud that refuses the release delays the deletion, and the machine says why',
    run: async place => {
      const host = await place.macWith(['a', 'b']);
      place.fleet.troubles.unwipable.add(host.id);
      await place.kubectl('delete', 'scalewayapplesiliconmachine', place.mac, '--wait=false');
      await place.must('the machine says why', () => /^ReleaseHost: .*refuses/.test(place.deleting()));
      const said = place.deleting();
      await place.podGcHasJudged();
      assert.deepEqual(place.podNames(), ['a', 'b'], 'no Pod is let go while its VM may run');
      assert.equal(place.vms(host).length, 2, 'the VMs run');
      place.fleet.troubles.unwipable.delete(host.id);
      const tookMs = await place.must(gone, () => place.pods().length + place.view.macs(place.ns).length === 0);
      place.assertGone(host);
      return `held for a minute ("${said.slice(0, 90)}"), then gone in ${secondsText(tookMs)}`;
    },
  },
];

async function oneMac(place: Place): Promise<MacMachine> {
  await place.must('the machine is there', () => place.view.macs(place.ns).length === 1);
  const [mac] = place.view.macs(place.ns);
  assert.ok(mac !== undefined);
  return mac;
}

/** A cluster of workers with one Mac in it. */
async function createDeployment({ api, ns, pool }: Place): Promise<void> {
  const metadata = { name: 'fleet', namespace: ns };
  await api.create(TuistCluster, { apiVersion: INFRA, kind: TuistCluster.kind, metadata, spec: {} });
  const infrastructureRef = { apiGroup: TuistCluster.group, kind: TuistCluster.kind, name: 'fleet' };
  await api.create(Cluster, { apiVersion: CAPI, kind: Cluster.kind, metadata, spec: { infrastructureRef } });
  await api.create(ScalewayAppleSiliconMachineTemplate, {
    apiVersion: INFRA,
    kind: ScalewayAppleSiliconMachineTemplate.kind,
    metadata,
    spec: { template: { spec: { adoptPoolPrefix: pool } } },
  });
  await api.create(MachineDeployment, {
    apiVersion: CAPI,
    kind: MachineDeployment.kind,
    metadata,
    spec: {
      clusterName: 'fleet',
      replicas: 1,
      selector: { matchLabels: { fleet: ns } },
      template: {
        metadata: { labels: { fleet: ns } },
        spec: {
          clusterName: 'fleet',
          bootstrap: { dataSecretName: 'none' },
          infrastructureRef: { ...infrastructureRef, kind: ScalewayAppleSiliconMachineTemplate.kind },
        },
      },
    },
  });
}

async function createHealthCheck({ api, ns }: Place): Promise<void> {
  await api.create(MachineHealthCheck, {
    apiVersion: CAPI,
    kind: MachineHealthCheck.kind,
    metadata: { name: 'fleet', namespace: ns },
    spec: {
      clusterName: 'fleet',
      selector: { matchLabels: { fleet: ns } },
      checks: {
        nodeStartupTimeoutSeconds: 3600,
        unhealthyNodeConditions: [
          { type: 'Ready', status: 'Unknown', timeoutSeconds: 5 },
          { type: 'Ready', status: 'False', timeoutSeconds: 5 },
        ],
      },
    },
  });
}
