// Registers the Node and keeps it current: metadata first and by patch, then the status (agent-65, agent-66).

import { isDeepStrictEqual } from 'node:util';
import { seconds } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { Periodic } from '../../kube/controller.ts';
import { Node } from '../../kube/core/node.ts';
import { isAlreadyExists } from '../../kube/errors.ts';
import { isGolden } from '../images/golden.ts';
import type { AgentWorld } from '../world.ts';
import { isForeign, labelChanges, type NodeFacts, newNode, statusOf } from './object.ts';

const REFRESH_MS = seconds(30);

/** What a failed probe falls back to (agent-71, agent-72). */
interface LastKnown {
  goldens: readonly string[];
  guestDisks: ReadonlyMap<string, number>;
}

export function nodeRefresh(): Periodic<AgentWorld> {
  const last: LastKnown = { goldens: [], guestDisks: new Map() };
  return { name: 'agent-node', everyMs: REFRESH_MS, firstAfterMs: 0, pass: world => refreshNode(last, world) };
}

async function refreshNode(last: LastKnown, world: AgentWorld): Promise<void> {
  const { api, self, settings, log } = world;
  const facts = await factsFor(last, world);
  const found = (await api.find(Node, { name: self.nodeName })) ?? (await register(facts, world));
  if (isForeign(found, settings)) {
    self.node = undefined;
    log.warn('the Node of this name belongs to another host; it is left alone until it is deleted', {
      node: self.nodeName,
      providerID: found.spec?.providerID,
    });
    return;
  }
  const patched = await patchMetadata(found, facts, world);
  self.node = patched;
  await writeStatus(patched, facts, world);
}

/** Somebody may have registered it in this moment: then that one counts. */
async function register(facts: NodeFacts, { api, self, log }: AgentWorld): Promise<Node> {
  try {
    const node = await api.create(Node, newNode(facts));
    log.info('registered the Node', { node: self.nodeName });
    return node;
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    return api.get(Node, { name: self.nodeName });
  }
}

/** A providerID is filled once and never replaced (agent-67). */
async function patchMetadata(node: Node, facts: NodeFacts, { api, settings, self }: AgentWorld): Promise<Node> {
  const labels = labelChanges(node, facts);
  const missesId = settings.providerId !== undefined && (node.spec?.providerID ?? '') === '';
  if (Object.keys(labels).length === 0 && !missesId) return node;
  return api.patch(
    Node,
    { name: self.nodeName },
    {
      metadata: { uid: node.metadata.uid, labels },
      ...(missesId ? { spec: { providerID: settings.providerId } } : {}),
    },
  );
}

async function writeStatus(node: Node, facts: NodeFacts, { api, self }: AgentWorld): Promise<void> {
  const status = { ...node.status, ...statusOf(node, facts) };
  if (isDeepStrictEqual(status, node.status)) return;
  await api.patch(
    Node,
    { name: self.nodeName },
    { metadata: { uid: node.metadata.uid }, status },
    { subresource: 'status' },
  );
}

async function factsFor(last: LastKnown, world: AgentWorld): Promise<NodeFacts> {
  const { settings, self, clock, host } = world;
  await probeGoldens(last, world);
  await probeGuests(last, world);
  return { settings, hostIp: self.hostIp, nowMs: clock.now(), disk: await host.disk(), ...last };
}

/** Only whole bases are advertised. A list that failed leaves the labels as they were. */
async function probeGoldens(last: LastKnown, { runtime, records, log }: AgentWorld): Promise<void> {
  try {
    const { vms } = await runtime.inventory();
    const making = new Set((await records.vms()).filter(record => record.state === 'making').map(record => record.vm));
    last.goldens = vms.map(vm => vm.name).filter(name => isGolden(name) && !making.has(name));
  } catch (error) {
    log.warn('golden bases could not be listed; their labels stay', { error: messageOf(error) });
  }
}

/** A guest that does not answer is left out; each has its own limit, so that none delays the heartbeat for long (agent-70). */
async function probeGuests(last: LastKnown, { runtime, records, counts }: AgentWorld): Promise<void> {
  const vms = (await records.vms().catch(() => [])).filter(record => record.use === 'pod').map(record => record.vm);
  const percents = await Promise.all(vms.map(async vm => [vm, await guestPercent(vm, runtime)] as const));
  const known = new Map(percents.flatMap(([vm, percent]) => (percent === undefined ? [] : [[vm, percent]])));
  for (const vm of last.guestDisks.keys()) if (!known.has(vm)) counts.guestDisk.forget({ vm });
  for (const [vm, percent] of known) counts.guestDisk.set(percent, { vm });
  last.guestDisks = known;
}

async function guestPercent(vm: string, runtime: AgentWorld['runtime']): Promise<number | undefined> {
  if ((await runtime.process(vm)).kind !== 'present') return undefined;
  return runtime.guestDiskPercent(vm);
}
