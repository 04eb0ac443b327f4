// What a Node bore before it was deleted, kept on the remediation, and given to the Node that comes back under its name.

import { Metal3Remediation } from '../../kinds/generated/metal3-remediation.generated.ts';
import type { Api } from '../../kube/api.ts';
import { Node } from '../../kube/core/node.ts';
import { isConflict, isNotFound } from '../../kube/errors.ts';
import { patchMetadata } from '../../kube/finalizers.ts';
import { annotationOf } from '../../kube/object.ts';
import { ANNOTATIONS_BACKUP, LABELS_BACKUP } from './names.ts';

type Texts = Readonly<Record<string, string>>;

export const hasBackup = (remediation: Metal3Remediation): boolean =>
  annotationOf(remediation, ANNOTATIONS_BACKUP) !== undefined || annotationOf(remediation, LABELS_BACKUP) !== undefined;

/** Stored before the Node is deleted: answers the remediation that bears it. */
export function keepBackup(api: Api, remediation: Metal3Remediation, { metadata }: Node): Promise<Metal3Remediation> {
  const annotations = {
    [ANNOTATIONS_BACKUP]: sortedJson(metadata.annotations ?? {}),
    [LABELS_BACKUP]: sortedJson(metadata.labels ?? {}),
  };
  return patchMetadata(api, Metal3Remediation, remediation, { annotations });
}

const sortedJson = (texts: Texts): string =>
  JSON.stringify(Object.fromEntries(Object.entries(texts).toSorted(([one], [other]) => (one < other ? -1 : 1))));

/** This Node and no other of its name. */
export async function deleteNode(api: Api, { metadata: { name, uid } }: Node): Promise<void> {
  try {
    await api.delete(Node, { name }, uid === undefined ? {} : { uid });
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}

/** What the Node has by itself, stays as it is. */
export async function giveBack(api: Api, remediation: Metal3Remediation, node: Node): Promise<void> {
  const { name, uid, annotations = {}, labels = {} } = node.metadata;
  const missing = {
    annotations: absentFrom(annotations, backupIn(remediation, ANNOTATIONS_BACKUP)),
    labels: absentFrom(labels, backupIn(remediation, LABELS_BACKUP)),
  };
  if (Object.keys({ ...missing.annotations, ...missing.labels }).length === 0) return;
  await api.patch(Node, { name }, { metadata: { uid, ...missing } });
}

const absentFrom = (present: Texts, backup: Texts): Texts =>
  Object.fromEntries(Object.entries(backup).filter(([key]) => !Object.hasOwn(present, key)));

/** A backup that somebody has spoilt gives nothing back, and holds nothing up. */
function backupIn(remediation: Metal3Remediation, annotation: string): Texts {
  try {
    const backup: unknown = JSON.parse(annotationOf(remediation, annotation) ?? '{}');
    if (typeof backup !== 'object' || backup === null) return {};
    return Object.fromEntries(
      Object.entries(backup).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
  } catch {
    return {}; // no JSON: nothing in it can be told apart
  }
}
