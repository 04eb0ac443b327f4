// Hosts that change hands, Pods from before Pippin, moves between clusters, and Macs that another agent ran.

import assert from 'node:assert/strict';
import { seconds } from '../../../src/base/clock.ts';
import { DELETE_FOR_MOVE, PAUSED_ANNOTATION } from '../../../src/kinds/wire.ts';
import { Pod } from '../../../src/kube/core/pod.ts';
import { secondsText } from '../../stories/telling/scenario.ts';
import type { Place } from './place.ts';
import type { RealScenario } from './scenario.ts';
import { takeover } from './takeover.ts';

const WEDGED = ['wedged-1', 'wedged-2', 'wedged-3'] as const;

/** Three Pods whose Nodes went before Pippin came: deleted, and held by nobody who lives. */
async function wedgePods(place: Place): Promise<void> {
  for (const [n, name] of WEDGED.entries()) {
    await place.createHeldPod(name, `${place.mac}-before-${n}`);
    await place.api.delete(Pod, { namespace: place.ns, name }, { graceSeconds: 0 });
  }
}

const RACK_HOSTS = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: rackhosts.infrastructure.cluster.x-k8s.io }
spec:
  group: infrastructure.cluster.x-k8s.io
  scope: Namespaced
  names: { kind: RackHost, listKind: RackHostList, plural: rackhosts, singular: rackhost }
  versions:
    - name: v1alpha1
      served: true
      storage: true
      schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
`;

const RACK_HOST = `
apiVersion: infrastructure.cluster.x-k8s.io/v1alpha1
kind: RackHost
metadata: { name: rack-1 }
`;

export const hostsAndHistory: readonly RealScenario[] = [
  {
    id: 'handed',
    name: 'a host that machine B took unwiped is never touched by A, whose Pods wait for B to start it clean',
    run: async place => {
      const host = await place.macWith(['a']);
      const { failing } = place.fleet.troubles;
      const step = `${host.ip} clean-start`;
      failing.add(step);
      // A person gives the Mac back by hand, without erasing it, and B adopts it.
      host.name = `${place.pool}by-hand`;
      const other = `${place.mac}-b`;
      await place.createMac(other);
      await place.must('B has it', () => host.name === other);
      await place.kubectl('delete', 'scalewayapplesiliconmachine', place.mac, '--wait=false');
      await place.must('A says who has its host', () => place.deleting().includes('HostHeldElsewhere'));
      const said = place.deleting();
      assert.deepEqual([host.wipes, host.name, place.podNames()], [0, other, ['a']], 'A touches nothing');
      failing.delete(step);
      const gone = () => place.view.mac(place.ns, place.mac) === undefined && place.pods().length === 0;
      const tookMs = await place.must("A and its Pods go once B's first set-up is clean", gone);
      assert.deepEqual([host.wipes, host.name], [0, other]);
      return `held ("${said.slice(0, 70)}"), gone ${secondsText(tookMs)} after B could start clean; 0 wipes`;
    },
  },
  {
    id: 'wedged',
    name: 'Pods wedged from before are released when nothing is left that could run them',
    run: async place => {
      place.orderMac();
      await wedgePods(place);
      const tookMs = await place.must('the wedged Pods are gone', () => place.pods().length === 0);
      return `three Pods gone after ${secondsText(tookMs)} (60 s of quiet, then two reads 90 s apart)`;
    },
  },
  {
    id: 'rack',
    name: 'the same Pods beside a RackHost are refused: no cloud can list that Mac',
    after: 'wedged',
    run: async place => {
      await place.fleet.cluster.kubectl(['apply', '--filename=-'], RACK_HOSTS);
      await place.kubectl('wait', '--for=condition=Established', 'crd/rackhosts.infrastructure.cluster.x-k8s.io');
      await place.fleet.cluster.kubectl([`--namespace=${place.ns}`, 'apply', '--filename=-'], RACK_HOST);
      await wedgePods(place);
      const refused = () => WEDGED.every(name => place.saysOf(name, 'MacNotListable') !== undefined);
      const tookMs = await place.must('each Pod says why', refused);
      const said = place.saysOf('wedged-1', 'MacNotListable') ?? '';
      assert.match(said, /RackHost rack-1/);
      assert.deepEqual(place.podNames(), WEDGED);
      return `refused after ${secondsText(tookMs)} ("${said.slice(0, 100)}")`;
    },
  },
  {
    id: 'moved',
    name: 'what clusterctl does in a move writes nothing to the cloud and touches no Pod',
    run: async place => {
      const host = await place.macWith(['a']);
      const writes = () =>
        place.fleet.cloud.calls.filter(each => each.subject === host.id && each.name !== 'getServer');
      const before = writes().length;
      const uid = place.view.pod(place.ns, 'a')?.metadata.uid;
      await place.kubectl(
        'annotate',
        'scalewayapplesiliconmachine',
        place.mac,
        `${PAUSED_ANNOTATION}=true`,
        `${DELETE_FOR_MOVE}=`,
      );
      await place.kubectl('delete', 'scalewayapplesiliconmachine', place.mac, '--wait=false');
      await assert.rejects(
        place.must('nothing happens to it', () => place.view.mac(place.ns, place.mac) === undefined, seconds(15)),
        /nothing happens to it/,
        'the object waits for clusterctl',
      );
      const blank = '{"metadata":{"finalizers":null}}';
      await place.kubectl('patch', 'scalewayapplesiliconmachine', place.mac, '--type=merge', `--patch=${blank}`);
      await place.must('the object is gone', () => place.view.mac(place.ns, place.mac) === undefined);
      await place.podGcHasJudged();
      assert.equal(writes().length - before, 0, 'no cloud write');
      assert.equal(place.vms(host).length, 1);
      assert.equal(place.view.pod(place.ns, 'a')?.metadata.uid, uid);
      assert.ok(place.runs('a'), 'the Pod runs on');
      return '0 cloud writes; the VM runs on, for the cluster that the machine moved to';
    },
  },
  takeover,
];
