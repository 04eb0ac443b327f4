// What the cluster's definitions of our kinds are now: ours, upstream's or missing, and what their objects are stored as.

import type { Api } from '../../kube/api.ts';
import { CustomResourceDefinition } from '../../kube/core/other.ts';
import { isDeleting } from '../../kube/object.ts';
import { converterOf } from '../metal-endpoint/converters.ts';
import { definitionsOfHalf, type HalfName, versionsOf } from './halves.ts';

export interface FoundDefinition {
  readonly half: HalfName;
  /** As it is to be. */
  readonly ours: CustomResourceDefinition;
  /** As it is. */
  readonly now: CustomResourceDefinition | undefined;
  readonly standing: 'ours' | 'to be replaced' | 'missing' | 'going away';
  /** Versions in which objects may still be stored, besides the one that it is to be. */
  readonly olderStored: readonly string[];
}

export async function foundDefinitions(api: Api, halves: readonly HalfName[]): Promise<readonly FoundDefinition[]> {
  const wanted = halves.flatMap(half => definitionsOfHalf(half).map(ours => ({ half, ours })));
  return Promise.all(
    wanted.map(async ({ half, ours }) => {
      const now = await api.find(CustomResourceDefinition, { name: ours.metadata.name });
      return { half, ours, now, standing: standingOf(ours, now), olderStored: olderStored(ours, now) };
    }),
  );
}

function standingOf(
  ours: CustomResourceDefinition,
  now: CustomResourceDefinition | undefined,
): FoundDefinition['standing'] {
  if (now === undefined) return 'missing';
  if (isDeleting(now)) return 'going away';
  const isOurs = converterOf(now).at === converterOf(ours).at && includes(now.spec, ours.spec);
  return isOurs && injectorsOf(now).length === 0 ? 'ours' : 'to be replaced';
}

/** cert-manager puts its own bundle over ours wherever one of these asks it to. */
export const injectorsOf = ({ metadata }: CustomResourceDefinition): readonly string[] =>
  Object.keys(metadata.annotations ?? {}).filter(name => name.startsWith('cert-manager.io/'));

function olderStored(ours: CustomResourceDefinition, now: CustomResourceDefinition | undefined): readonly string[] {
  const storage = versionsOf(ours).find(version => version.storage)?.name;
  return (now?.status?.storedVersions ?? []).filter(version => version !== storage);
}

/** Whether everything that is wanted is there: an API server adds defaults to what it was given. */
function includes(found: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return found === wanted;
  if (typeof found !== 'object' || found === null || Array.isArray(found) !== Array.isArray(wanted)) return false;
  const [inFound, inWanted] = [Object.entries(found), Object.entries(wanted)];
  if (Array.isArray(wanted) && inFound.length !== inWanted.length) return false;
  const values = new Map<string, unknown>(inFound);
  return inWanted.every(([name, value]) => includes(values.get(name), value));
}
