// The one write that erases a Mac: right after reads that show it is this machine's, and believed only by a read after it.

import { seconds } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { DELETE_FOR_MOVE } from '../../kinds/wire.ts';
import { refTo } from '../../kube/api.ts';
import { annotationOf, keyOf } from '../../kube/object.ts';
import { type Outcome, wait } from '../../kube/outcome.ts';
import { type MacServer, serverBusy, serverNotThere } from '../cloud.ts';
import type { MacWorld } from '../world.ts';
import { claimName, MacMachine, osOf, typeOf } from './mac-machine.ts';
import { newestOf } from './os-image.ts';

/** Reads older than this say nothing about whose host it is: a pass that stood still reads again (safe-10). */
const READ_AGE_MS = seconds(5);

/** `reinstalling`: that is what the cloud shows. Else what must be waited for. */
export async function wipe(machine: MacMachine, server: MacServer, world: MacWorld): Promise<'reinstalling' | Outcome> {
  const where = { port: 'scaleway', subject: `server ${server.zone}/${server.id}` };
  if (!canBeWiped(server)) return wait(where, `the host to settle: it is ${server.status}`, seconds(10));
  const image = await imageFor(machine, server, world);
  if (typeof image === 'object') return image;
  const stopped = await movedAway(machine, world);
  if (stopped !== undefined) return stopped;
  const readAtMs = world.clock.monotonic();
  const again = await world.cloud.server(server);
  if (again.kind !== 'present' || again.value.name !== claimName(machine))
    return wait(where, 'a clear answer about the host', seconds(5));
  if (world.clock.monotonic() - readAtMs > READ_AGE_MS) return wait(where, 'a fresh answer about the host', seconds(1));
  const failure = await order(machine, { server, image }, world);
  const after = await world.cloud.server(server);
  if (after.kind === 'present' && after.value.status === 'reinstalling') return 'reinstalling';
  if (failure === undefined) return wait(where, 'the host to show that it is erased', seconds(5));
  return wait(where, `the host to be erased: ${failure}`, seconds(60), { reason: 'ReleaseFailed' });
}

const canBeWiped = ({ status }: MacServer): boolean => status === 'ready' || status === 'error' || status === 'locked';

/** safe-17, read live: what clusterctl moves is left alone, in the API and outside. */
async function movedAway(machine: MacMachine, { api }: MacWorld): Promise<Outcome | undefined> {
  const live = await api.find(MacMachine, keyOf(machine));
  if (live !== undefined && live.metadata.uid === machine.metadata.uid) {
    if (annotationOf(live, DELETE_FOR_MOVE) === undefined) return undefined;
  }
  return wait(refTo(MacMachine, machine), 'clusterctl to take this object away', seconds(60));
}

/** The image id, or `''` for the type's usual one: a release is lenient where an adoption is strict (mac-F23, mac-F25). */
async function imageFor(machine: MacMachine, server: MacServer, world: MacWorld): Promise<string | Outcome> {
  const listing = await world.cloud.images(server.zone);
  if (listing.kind === 'unknown') {
    const where = { port: 'scaleway', subject: `images of ${server.zone}` };
    return wait(where, `the list of images: ${listing.reason}`, seconds(30));
  }
  const image = newestOf(listing.value, osOf(machine), typeOf(machine));
  if (image !== undefined) return image.id;
  world.events.warning(machine, 'OSPinUnavailable', `No image of ${osOf(machine)}: the host gets its usual system`);
  return '';
}

/** Why it failed, if it did. "Busy" and 404 prove nothing either way; the read that follows does. */
async function order(
  machine: MacMachine,
  { server, image }: { readonly server: MacServer; readonly image: string },
  { cloud, events }: MacWorld,
): Promise<string | undefined> {
  events.normal(machine, 'Releasing', `Erasing server ${server.zone}/${server.id}`);
  try {
    await cloud.reinstall(server, image === '' ? undefined : image);
    return undefined;
  } catch (error) {
    if (serverBusy.is(error) || serverNotThere.is(error)) return undefined;
    events.warning(machine, 'ReleaseFailed', messageOf(error));
    return messageOf(error);
  }
}
