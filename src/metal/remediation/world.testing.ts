// A machine under repair, for the tests of this folder: its host obeys (or not), its kubelet registers its Node at each boot.

import { seconds } from '../../base/clock.ts';
import { quietController } from '../../deletion/quiet-controller.ts';
import { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import { Machine } from '../../kinds/generated/machine.generated.ts';
import { Metal3Remediation, type Metal3RemediationSpec } from '../../kinds/generated/metal3-remediation.generated.ts';
import { Metal3RemediationTemplate } from '../../kinds/generated/metal3-remediation-template.generated.ts';
import { Node } from '../../kube/core/node.ts';
import { keyController } from '../../kube/run.ts';
import { aHostInUse, aMetalCluster, HOST_KINDS } from '../host-in-use.testing.ts';
import { at, ownedBy, put } from '../objects.testing.ts';
import { aMetalTest, type Between, type MetalTest, type SimWorkload } from '../workload/world.testing.ts';
import { metal3Remediation } from './controller.ts';
import { metal3RemediationOrphans } from './orphans.ts';
import { metal3RemediationTemplate } from './template.ts';

export interface RepairTest {
  readonly metal: MetalTest;
  readonly workload: SimWorkload;
  readonly machine: Machine;
  /** How host `h1` behaves from now on. */
  readonly hardware: { power: 'obeys' | 'stays as it is'; boots: 'with its Node' | 'without' };
  /** Every change of the host's power, and of its Node, in order: `off`, `on`, `Node gone`, `Node back`. */
  readonly seen: string[];
  remediate(strategy?: Partial<NonNullable<Metal3RemediationSpec['strategy']>>): Promise<Metal3Remediation>;
  read(): Promise<Metal3Remediation>;
  find(): Promise<Metal3Remediation | undefined>;
  host(): Promise<BareMetalHost>;
  node(): Promise<Node | undefined>;
  /** Lets time pass by seconds; the hardware acts in each. */
  pass(seconds: number): Promise<void>;
}

const NODE = { name: 'n1' };

export async function aRepair(
  more: { readonly kubelet?: string; readonly between?: Between } = {},
): Promise<RepairTest> {
  const kinds = [...HOST_KINDS, Metal3Remediation, Metal3RemediationTemplate];
  const metal = await aMetalTest(kinds, more.between);
  const workload = await aMetalCluster(metal);
  const { machine } = await aHostInUse(metal, workload, 1, { nodeLabels: { role: 'worker' } });
  const annotations = { by: 'hand' };
  await workload.api.patch(Node, NODE, { metadata: { annotations } });
  const nodeInfo = { kubeletVersion: more.kubelet ?? 'v1.36.0' };
  await workload.api.patch(Node, NODE, { status: { nodeInfo } }, { subresource: 'status' });
  metal.run(
    quietController(metal3Remediation),
    keyController(metal3RemediationOrphans),
    keyController(metal3RemediationTemplate),
  );
  await metal.pass(seconds(1));
  const hardware: RepairTest['hardware'] = { power: 'obeys', boots: 'with its Node' };
  const seen: string[] = [];
  const node = (): Promise<Node | undefined> => workload.api.find(Node, NODE);
  const acting = { metal, workload, hardware, seen, hadNode: true };
  return {
    metal,
    workload,
    machine,
    hardware,
    seen,
    node,
    remediate: (strategy = {}) =>
      put(metal.api, Metal3Remediation, 'm1', {
        metadata: { labels: { 'cluster.x-k8s.io/cluster-name': 'c' }, ownerReferences: [ownedBy(Machine, machine)] },
        spec: { strategy: { type: 'Reboot', retryLimit: 1, timeoutSeconds: 300, ...strategy } },
      }),
    read: () => metal.api.get(Metal3Remediation, at('m1')),
    find: () => metal.api.find(Metal3Remediation, at('m1')),
    host: () => metal.api.get(BareMetalHost, at('h1')),
    pass: async howMany => {
      for (let second = 0; second < howMany; second++) {
        await metal.pass(seconds(1));
        await act(acting, node);
      }
    },
  };
}

interface Acting extends Pick<RepairTest, 'metal' | 'workload' | 'hardware' | 'seen'> {
  hadNode: boolean;
}

async function act(acting: Acting, node: () => Promise<Node | undefined>): Promise<void> {
  const { metal, workload, hardware, seen } = acting;
  const hasNode = (await node()) !== undefined;
  if (acting.hadNode && !hasNode) seen.push('Node gone');
  acting.hadNode = hasNode;
  const host = await metal.api.find(BareMetalHost, at('h1'));
  if (host === undefined || hardware.power === 'stays as it is') return;
  const isHeldOff = Object.keys(host.metadata.annotations ?? {}).some(key => key.startsWith('reboot.metal3.io/'));
  const poweredOn = host.spec?.online === true && !isHeldOff;
  if (poweredOn === host.status?.poweredOn) return;
  await metal.api.patch(BareMetalHost, at('h1'), { status: { poweredOn } }, { subresource: 'status' });
  seen.push(poweredOn ? 'on' : 'off');
  if (!poweredOn || hasNode || hardware.boots === 'without') return;
  await workload.api.create(Node, {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { ...NODE, labels: { booted: 'anew' } },
  });
  acting.hadNode = true;
  seen.push('Node back');
}
