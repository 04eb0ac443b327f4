// While a controller is off, objects of its kind that are told to go stay, and say why: nobody else would tell (metal-P2).

import { seconds } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { isBeingMoved, pausedBy } from '../../kinds/pause.ts';
import { conditionOf } from '../../kube/conditions.ts';
import type { KubeWorld } from '../../kube/controller.ts';
import { type Kind, resourceName } from '../../kube/kind.ts';
import { hasFinalizer, isDeleting, type KubeObject, keyOf, keyText } from '../../kube/object.ts';
import { writeStanding } from '../../kube/standing.ts';
import { ledger } from '../ledger.ts';

const REASON = 'ControllerOff';
const LOOK_EVERY_MS = seconds(30);

/** Those of ours that objects of a kind may bear. */
const finalizersOn = (kind: Kind): readonly string[] =>
  ledger
    .filter(({ on }) => on.some(each => resourceName(each) === resourceName(kind)))
    .map(({ finalizer }) => finalizer);

export interface OffController {
  readonly name: string;
  /** The one that it keeps; undefined while that is not served either: then there is no object to tell anything. */
  kind(): Kind | undefined;
  /** What it waits for, in words. */
  missing(): readonly string[];
}

/** Until the signal aborts. All that are going are told in one sweep, each once; the cache of their kind is all that is read. */
export async function tellHeldDeletions(off: OffController, world: KubeWorld, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await world.clock.sleep(LOOK_EVERY_MS, signal).catch(() => undefined);
    if (!signal.aborted) await sweep(off, world, signal);
  }
}

async function sweep(off: OffController, world: KubeWorld, signal: AbortSignal): Promise<void> {
  const kind = off.kind();
  if (kind === undefined || finalizersOn(kind).length === 0) return;
  for (const object of world.caches.of(kind).list()) {
    if (signal.aborted) return;
    if (isHeld(object, kind, world)) await tell(object, kind, off, world);
  }
}

function isHeld(object: KubeObject, kind: Kind, { concerns }: KubeWorld): boolean {
  if (!isDeleting(object) || !finalizersOn(kind).some(finalizer => hasFinalizer(object, finalizer))) return false;
  return !isBeingMoved(object) && pausedBy(object, undefined) === undefined && concerns?.(object) !== false;
}

/** Several controllers may keep one kind: who tells first is believed, and only that one changes its words. */
async function tell(object: KubeObject, kind: Kind, off: OffController, world: KubeWorld): Promise<void> {
  const says = `${off.name} is off`;
  const before = conditionOf(object, 'Deleting');
  if (before?.reason === REASON && before.message?.startsWith(says) !== true) return;
  const message = `${says}: it waits for ${off.missing().join(', ')} to be served on this cluster`;
  const said = { type: 'Deleting', status: 'True', reason: REASON, message } as const;
  try {
    await writeStanding(world, kind, object, { said: [said] });
  } catch (error) {
    const about = `${resourceName(kind)} ${keyText(keyOf(object))}`;
    world.log.debug('What holds up a deletion could not be told on it', { object: about, error: messageOf(error) });
    world.events.warning(object, REASON, message);
  }
}
