// Follows a fleet through the caches: tells what is new, and says when the demo Pod runs.

import { ScalewayAppleSiliconMachine } from '../../kinds/generated/scaleway-apple-silicon-machine.generated.ts';
import type { Informer } from '../../kube/cache.ts';
import { isTrue } from '../../kube/conditions.ts';
import type { KubeWorld } from '../../kube/controller.ts';
import { Lease, Node } from '../../kube/core/node.ts';
import { Pod } from '../../kube/core/pod.ts';
import type { KubeObject, ObjectKey } from '../../kube/object.ts';
import { aborted } from '../aborted.ts';
import type { Program } from '../controllers.ts';
import type { ControlPlane } from './control-plane.ts';
import { type FleetView, newLines, progressOf, type Told } from './progress.ts';

export interface Watching {
  readonly world: Pick<KubeWorld, 'caches' | 'clock'>;
  readonly startedMs: number;
  readonly say: (line: string) => void;
}

/** Changes come in bursts: one look takes in those of a moment. */
const GATHER_MS = 50;

const LEASES = { namespace: 'kube-node-lease' } as const;

/** Tells every new line until the signal aborts. */
export function telling({ world, startedMs, say }: Watching): Program {
  return async signal => {
    let told: Told = new Map();
    const look = (): void => {
      const now = progressOf(viewOf(world, startedMs));
      for (const line of newLines(told, now)) say(line);
      told = now;
    };
    await onChanges(world, followedIn(world), look, signal);
  };
}

/** Resolves with the Pod once it runs, or with undefined when there is none (any more). Rejects with the signal's reason. */
export async function runs(
  key: ObjectKey,
  { api, world }: Pick<ControlPlane, 'api' | 'world'>,
  signal: AbortSignal,
): Promise<Pod | undefined> {
  const { uid } = (await api.find(Pod, key))?.metadata ?? {};
  if (uid === undefined) return undefined;
  const enough = new AbortController();
  let seen: Pod | undefined;
  const look = (): void => {
    const pod = world.caches.of(Pod).get(key);
    if (pod === undefined ? seen !== undefined : isTrue(pod, 'Ready')) enough.abort();
    seen = pod;
  };
  await onChanges(world, followedIn(world), look, AbortSignal.any([signal, enough.signal]));
  signal.throwIfAborted();
  return seen;
}

const followedIn = ({ caches }: Watching['world']): readonly Followed[] => [
  caches.of(ScalewayAppleSiliconMachine),
  caches.of(Node),
  caches.of(Pod),
  caches.of(Lease, LEASES),
];

type Followed = Pick<Informer<KubeObject>, 'whenSynced' | 'onChange'>;

/** Looks now, and soon after every change of these, until the signal aborts. */
export async function onChanges(
  { clock }: Watching['world'],
  followed: readonly Followed[],
  look: () => void,
  signal: AbortSignal,
): Promise<void> {
  let cancel: (() => void) | undefined;
  const soon = (): void => {
    cancel ??= clock.after(GATHER_MS, () => {
      cancel = undefined;
      look();
    });
  };
  try {
    await Promise.all(followed.map(cache => cache.whenSynced(signal)));
    const stops = followed.map(cache => cache.onChange(soon));
    look();
    await aborted(signal);
    for (const stop of stops) stop();
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    cancel?.();
  }
}

function viewOf({ caches }: Watching['world'], startedMs: number): FleetView {
  return {
    machines: caches.of(ScalewayAppleSiliconMachine).list(),
    nodes: caches.of(Node).list(),
    pods: caches.of(Pod).list(),
    leases: caches.of(Lease, LEASES).list(),
    startedMs,
  };
}
