// Many Macs from one: what a real set-up left of the first one, in the API and on its host, copied under other names.

import type { SimServer } from '../../sim/scaleway/state.ts';
import { seconds } from '../../src/base/clock.ts';
import { appleSiliconProviderId } from '../../src/kinds/wire.ts';
import { Node } from '../../src/kube/core/node.ts';
import { Secret } from '../../src/kube/core/other.ts';
import { Pod } from '../../src/kube/core/pod.ts';
import type { Kind } from '../../src/kube/kind.ts';
import { type KubeObject, keyOf } from '../../src/kube/object.ts';
import { MacMachine } from '../../src/mac/machine/mac-machine.ts';
import { hostNamed, runPods } from '../stories/stranded-pods/act.ts';
import { createHeldPod, createMac } from '../world/acts.ts';
import type { VirtualFleet } from '../world/fleet.ts';
import { agentOf } from '../world/macs.ts';
import { NS } from '../world/names.ts';

export const macName = (n: number): string => `mac-${n}`;
export const runningPod = (n: number): string => `running-${n}`;
export const wedgedPod = (n: number): string => `wedged-${n}`;

/** So many machines, each with a Pod that runs and one that is stuck in its deletion. Their agents are silent, and their VMs are in the API alone. */
export async function manyMacs(fleet: VirtualFleet, count: number): Promise<void> {
  await createMac(fleet.api, macName(0));
  await runPods(fleet, [runningPod(0)]);
  await fleet.pass(seconds(10));
  const first = fleet.cloud.byId(hostNamed(fleet, macName(0)));
  fleet.processes.end(agentOf(first.id));
  const originals = originalsOf(fleet);
  for (let n = 1; n < count; n++) await copy(fleet, { originals, first, n });
  for (let n = 0; n < count; n++) await wedge(fleet, n);
}

type Original = readonly [kind: Kind, object: KubeObject & { status?: unknown }];

function originalsOf({ view }: VirtualFleet): readonly Original[] {
  return [
    ...view.secrets().map((each): Original => [Secret, each]),
    ...view.macs().map((each): Original => [MacMachine, each]),
    ...view.nodes().map((each): Original => [Node, each]),
    ...view.pods().map((each): Original => [Pod, each]),
  ];
}

interface Copying {
  readonly originals: readonly Original[];
  readonly first: SimServer;
  readonly n: number;
}

async function copy(fleet: VirtualFleet, { originals, first, n }: Copying): Promise<void> {
  const { cloud, hosts, api } = fleet;
  const server = cloud.order({ name: macName(n) });
  server.sudoPassword = first.sudoPassword;
  const renamed = (text: string): string =>
    text
      .replaceAll(first.id, server.id)
      .replaceAll(first.ip, server.ip)
      .replaceAll(macName(0), macName(n))
      .replaceAll(runningPod(0), runningPod(n));
  // Dark: a new configuration would start its agent, which would find neither VM on its disk.
  hosts.cutPower(server.id);
  for (const [kind, object] of originals) {
    const { status, ...rest } = JSON.parse(renamed(JSON.stringify(opened(object))));
    await api.create(kind, rest);
    if (status !== undefined) await api.patch(kind, keyOf(rest), { status }, { subresource: 'status' });
  }
}

/** Without what the server gives, and with the data of Secrets as text. */
function opened({ metadata, ...object }: KubeObject & { data?: Readonly<Record<string, string>> }): KubeObject {
  const { name, namespace, labels, annotations, finalizers } = metadata;
  const { data, ...rest } = object;
  const texts = Object.entries(data ?? {}).map(([key, value]) => [key, Buffer.from(value, 'base64').toString('utf8')]);
  return {
    ...rest,
    ...(data === undefined ? {} : { stringData: Object.fromEntries(texts) }),
    metadata: JSON.parse(JSON.stringify({ name, namespace, labels, annotations, finalizers })),
  };
}

/** Deleted by somebody, and held by the finalizer of an agent that says nothing any more. */
async function wedge(fleet: VirtualFleet, n: number): Promise<void> {
  const { zone, id } = fleet.cloud.byId(hostNamed(fleet, macName(n)));
  await createHeldPod(fleet.api, wedgedPod(n), { nodeName: macName(n), hostId: appleSiliconProviderId(zone, id) });
  await fleet.api.delete(Pod, { namespace: NS, name: wedgedPod(n) }, { graceSeconds: 0 });
}
