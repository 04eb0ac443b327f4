// Hosts that a machine of this process is about to reserve. Only speed rests on it: the lock of the reservation decides.

import { seconds } from '../../base/clock.ts';
import type { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import type { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import type { Caches } from '../../kube/cache.ts';
import type { KubeWorld } from '../../kube/controller.ts';
import { keyOf, keyText } from '../../kube/object.ts';

/** A reservation takes two writes. One that takes longer is no reason to pass over a host. */
const REMEMBERED_MS = seconds(5);

interface Word {
  readonly machine: string;
  readonly untilMs: number;
}

const words = new WeakMap<Caches, Map<string, Word>>();

type World = Pick<KubeWorld, 'caches' | 'clock'>;

/** Machines that look for a host at the same time are to choose different ones: without it all would take the first. */
export function speakFor(host: BareMetalHost, machine: Metal3Machine, { caches, clock }: World): void {
  const spoken = words.get(caches) ?? new Map<string, Word>();
  words.set(caches, spoken);
  for (const [key, { untilMs }] of spoken) {
    if (untilMs > clock.monotonic()) break;
    spoken.delete(key);
  }
  const key = keyText(keyOf(host));
  spoken.delete(key);
  spoken.set(key, { machine: keyText(keyOf(machine)), untilMs: clock.monotonic() + REMEMBERED_MS });
}

export function isSpokenFor(host: BareMetalHost, machine: Metal3Machine, { caches, clock }: World): boolean {
  const word = words.get(caches)?.get(keyText(keyOf(host)));
  return word !== undefined && word.untilMs > clock.monotonic() && word.machine !== keyText(keyOf(machine));
}
