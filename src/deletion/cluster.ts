// Which cluster all answers must come from: one whose kube-system namespace still has the UID that it had at start (safe-1).

import type { Api } from '../kube/api.ts';
import { Namespace } from '../kube/core/other.ts';

/** Reads the id of the cluster behind `api`: the UID of its kube-system namespace. Throws when it cannot be read. */
export async function clusterUidOf(api: Api): Promise<string> {
  const { metadata } = await api.get(Namespace, { name: 'kube-system' });
  return metadata.uid ?? '';
}
