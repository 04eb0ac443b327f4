import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kubeMicroTime } from '../../base/clock.ts';
import type { ScalewayAppleSiliconMachine } from '../../kinds/generated/scaleway-apple-silicon-machine.generated.ts';
import type { Lease, Node } from '../../kube/core/node.ts';
import type { Pod } from '../../kube/core/pod.ts';
import { type FleetView, newLines, progressOf } from './progress.ts';

const STARTED_MS = Date.UTC(2026, 0, 1);
const EMPTY: FleetView = { machines: [], nodes: [], pods: [], leases: [], startedMs: STARTED_MS };

type MachineStatus = NonNullable<ScalewayAppleSiliconMachine['status']>;

function mac(status: MachineStatus, providerID?: string): ScalewayAppleSiliconMachine {
  return {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1alpha1',
    kind: 'ScalewayAppleSiliconMachine',
    metadata: { namespace: 'default', name: 'mac-0' },
    spec: providerID === undefined ? {} : { providerID },
    status,
  };
}

const node: Node = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'mac-0' },
  status: { conditions: [{ type: 'Ready', status: 'True' }] },
};

function lease(renewedMs: number): Lease {
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'mac-0' },
    spec: { renewTime: kubeMicroTime(renewedMs) },
  };
}

function pod(status: NonNullable<Pod['status']>, nodeName?: string): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: 'default', name: 'demo', uid: 'u-1' },
    spec: { containers: [], ...(nodeName === undefined ? {} : { nodeName }) },
    status,
  };
}

const linesOf = (view: Partial<FleetView>): readonly string[] => [...progressOf({ ...EMPTY, ...view }).values()];

test('a machine without a host says what it waits for, in its own words', () => {
  const message = 'Waiting for a free M2-L with Tahoe in pool pool-';
  const waiting = mac({
    conditions: [
      { type: 'Provisioned', status: 'False', reason: 'NoAvailableHost', message: 'a free M2-L' },
      { type: 'HostAdopted', status: 'False', reason: 'NoAvailableHost', message },
    ],
  });

  assert.deepEqual(linesOf({ machines: [waiting] }), ['Mac mac-0: waiting for a free M2-L with Tahoe in pool pool-']);
});

test('a machine tells what it has reached, up to its Node', () => {
  const addresses = [{ type: 'ExternalIP', address: '198.51.100.1' }];
  const conditions = [{ type: 'Bootstrapped', status: 'True' as const }];
  const machines = [mac({ addresses, conditions }, 'scw-applesilicon://fr-par-1/1')];

  const silent = linesOf({ machines, nodes: [node] });
  const heard = linesOf({ machines, nodes: [node], leases: [lease(STARTED_MS + 1000)] });

  const reached = ['Mac mac-0: adopted (198.51.100.1)', 'Mac mac-0: bootstrapped'];
  assert.deepEqual(silent, [...reached, 'Mac mac-0: waiting for its agent to report']);
  assert.deepEqual(heard, [...reached, 'Mac mac-0: Node Ready']);
});

test('what an agent said before this start is not believed', () => {
  const machines = [mac({ conditions: [{ type: 'Bootstrapped', status: 'True' }] })];

  const lines = linesOf({ machines, nodes: [node], leases: [lease(STARTED_MS - 1000)] });

  assert.equal(lines.includes('Mac mac-0: Node Ready'), false);
});

test('a Pod is told from its wait for a Node to its running VM', () => {
  const waiting = (message: string): Pod =>
    pod(
      {
        phase: 'Pending',
        containerStatuses: [
          {
            name: 'vm',
            image: 'x',
            imageID: '',
            ready: false,
            restartCount: 0,
            state: { waiting: { reason: 'Pulling', message } },
          },
        ],
      },
      'mac-0',
    );
  const unscheduled = pod({ conditions: [{ type: 'PodScheduled', status: 'False', message: '0/0 nodes' }] });
  const running = pod(
    { phase: 'Running', podIP: '192.168.64.2', conditions: [{ type: 'Ready', status: 'True' }] },
    'mac-0',
  );

  assert.deepEqual(linesOf({ pods: [unscheduled] }), ['Pod default/demo: waiting for a Node: 0/0 nodes']);
  assert.deepEqual(linesOf({ pods: [waiting('image x: 40 % pulled')] }), [
    'Pod default/demo: on Node mac-0',
    'Pod default/demo: image x: 40 % pulled',
  ]);
  assert.deepEqual(linesOf({ pods: [running] }), [
    'Pod default/demo: on Node mac-0',
    'Pod default/demo: VM running at 192.168.64.2',
  ]);
});

test('a line is told once, and again when its words change', () => {
  const first = progressOf({ ...EMPTY, pods: [pod({})] });
  const later = progressOf({ ...EMPTY, pods: [pod({}, 'mac-0')] });

  assert.deepEqual(newLines(first, first), []);
  assert.deepEqual(newLines(first, later), ['Pod default/demo: on Node mac-0', 'Pod default/demo: waiting for its VM']);
});
