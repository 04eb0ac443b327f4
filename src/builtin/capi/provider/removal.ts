// Deletes a provider's object and waits until it is gone; one that belongs to somebody else is left alone.

import type { KubeWorld } from '../../../kube/controller.ts';
import type { Kind } from '../../../kube/kind.ts';
import { controllerOf, isDeleting, type KubeObject } from '../../../kube/object.ts';
import { done, type Outcome, wait } from '../../../kube/outcome.ts';
import { deleteThis } from '../../overtaken.ts';
import { isKindGone, keyIn, lookUp } from './lookup.ts';
import { excuseOf, type ProviderObject } from './object.ts';
import { type ProviderReference, waitTarget } from './references.ts';

export interface RemovalWorld {
  readonly world: KubeWorld;
  readonly watched: readonly Kind[];
  readonly recheckMs: number;
}

export async function deleteProviderObject(
  owner: KubeObject,
  reference: ProviderReference,
  on: RemovalWorld,
): Promise<Outcome> {
  const { namespace = '' } = owner.metadata;
  const sought = await lookUp(reference, { namespace, world: on.world, watched: on.watched });
  if (sought.kind === 'noSuchKind') return whenKindIsGone(reference, on);
  const target = waitTarget(sought.as.kind, keyIn(sought.as, reference.name, namespace), on.watched);
  if (sought.kind === 'absent' || isOthers(sought.object, owner)) return done();
  if (!isDeleting(sought.object)) await deleteThis(sought.as.kind, sought.object, on.world.api);
  const what = `${reference.kind} ${reference.name} to be gone${deletingExcuse(sought.object)}`;
  return wait(target, what, on.recheckMs);
}

/** The name may have been taken by another's object since. */
function isOthers(object: ProviderObject, owner: KubeObject): boolean {
  const controller = controllerOf(object);
  return controller !== undefined && controller.uid !== owner.metadata.uid;
}

/** What no CRD describes cannot be stored, so there is nothing to wait for; but only a whole live list says so. */
async function whenKindIsGone(reference: ProviderReference, on: RemovalWorld): Promise<Outcome> {
  if (await isKindGone(reference, on.world)) return done();
  const target = { port: 'provider', subject: `${reference.kind} ${reference.name}` };
  return wait(target, `the kind ${reference.kind} to be known`, on.recheckMs);
}

/** Its own Deleting condition says best what it waits for. */
function deletingExcuse(object: ProviderObject): string {
  const deleting = object.status?.conditions?.find(({ type }) => type === 'Deleting');
  return deleting?.message === undefined || deleting.message === '' ? excuseOf(object) : `: ${deleting.message}`;
}
