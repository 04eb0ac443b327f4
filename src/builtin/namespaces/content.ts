// Empties a namespace that is being deleted, and says what is left: live lists, since what was missed would be lost.

import { messageOf } from '../../base/errors.ts';
import type { Api } from '../../kube/api.ts';
import { ApiError } from '../../kube/errors.ts';
import { type Kind, resourceName } from '../../kube/kind.ts';
import { type KubeObject, keyOf } from '../../kube/object.ts';
import { unlessOvertaken } from '../overtaken.ts';
import type { Discovery, ServedKind } from '../served/discovery.ts';
import type { Remaining, Seen } from './conditions.ts';

const AT_ONCE = 8;

/**
 * Deletes what is there and not yet deleting, kind by kind, and reads again what remains. Pods go first, alone: what
 * they still use (a Secret, a policy) must not go before them.
 */
export async function emptyNamespace(namespace: string, api: Api, discovery: Discovery): Promise<Seen> {
  const { kinds, failed } = await discovery();
  const failures: string[] = [];
  const remaining: Remaining[] = [];
  for (const kind of podsFirst(kinds.filter(isContent))) {
    // As the real server: while Pods end, nothing is said of what remains (builtin-8).
    if (remaining.some(isPods)) return { undiscovered: failed, failures, remaining, isWaitingForPods: true };
    try {
      const objects = await emptyOf(kind, namespace, api);
      if (objects.length > 0) remaining.push({ plural: kind.plural, group: kind.group, objects });
    } catch (error) {
      failures.push(whyNot(kind, error));
    }
  }
  return { undiscovered: failed, failures, remaining };
}

/** What the API said: it names the object. Without a word of it, which kind was asked for. */
function whyNot(kind: Kind, error: unknown): string {
  const said = error instanceof ApiError ? error.status?.message : undefined;
  return said ?? `${resourceName(kind)}: ${messageOf(error)}`;
}

const isPods = (kind: Pick<Kind, 'group' | 'plural'>): boolean => kind.group === '' && kind.plural === 'pods';

function podsFirst<K extends Kind>(kinds: readonly K[]): readonly K[] {
  return [...kinds.filter(isPods), ...kinds.filter(kind => !isPods(kind))];
}

function isContent(kind: ServedKind): boolean {
  return kind.namespaced && kind.verbs.includes('list') && kind.verbs.includes('delete');
}

/** What is left of one kind after every object of it has been told to go. */
async function emptyOf(kind: Kind, namespace: string, api: Api): Promise<readonly KubeObject[]> {
  const before = await api.list<KubeObject>(kind, { namespace });
  if (before.items.length === 0) return [];
  const toDelete = before.items.filter(object => object.metadata.deletionTimestamp === undefined);
  for (let at = 0; at < toDelete.length; at += AT_ONCE) {
    await Promise.all(toDelete.slice(at, at + AT_ONCE).map(object => deleteOne(kind, object, api)));
  }
  if (toDelete.length === 0) return before.items;
  return (await api.list<KubeObject>(kind, { namespace })).items;
}

/** Background: what these objects own in other namespaces or clusters is not this controller's to wait for. */
async function deleteOne(kind: Kind, object: KubeObject, api: Api): Promise<void> {
  const { uid } = object.metadata;
  const how = { propagation: 'Background', ...(uid === undefined ? {} : { uid }) } as const;
  await unlessOvertaken(() => api.delete(kind, keyOf(object), how));
}
