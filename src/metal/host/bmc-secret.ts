// The label by which the Secret of a host's board follows its Cluster in a move: on while a machine has the host (metal-7.7).

import type { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import { CLUSTER_NAME_LABEL } from '../../kinds/wire.ts';
import type { KubeWorld } from '../../kube/controller.ts';
import { Secret } from '../../kube/core/other.ts';
import { ApiError, isNotFound } from '../../kube/errors.ts';
import { metadataOf } from '../../kube/kind.ts';
import type { ObjectKey } from '../../kube/object.ts';

/** Written without being read: what the Secret holds is the board's password. */
const BmcSecret = metadataOf(Secret);

const LABEL_PATH = `/metadata/labels/${CLUSTER_NAME_LABEL.replaceAll('/', '~1')}`;

/** A host without credentials, or whose Secret somebody else keeps elsewhere, needs none. */
export async function labelBmcSecret(
  host: BareMetalHost,
  cluster: ObjectKey,
  { api }: Pick<KubeWorld, 'api'>,
): Promise<void> {
  const key = secretOf(host);
  if (key === undefined) return;
  try {
    await api.patch(BmcSecret, key, { metadata: { labels: { [CLUSTER_NAME_LABEL]: cluster.name } } });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** Takes the label off where it still names this Cluster. */
export async function unlabelBmcSecret(
  host: BareMetalHost,
  clusterName: string,
  { api }: Pick<KubeWorld, 'api'>,
): Promise<void> {
  const key = secretOf(host);
  if (key === undefined) return;
  const operations = [
    { op: 'test', path: LABEL_PATH, value: clusterName },
    { op: 'remove', path: LABEL_PATH },
  ];
  try {
    await api.patch(BmcSecret, key, operations, { type: 'json' });
  } catch (error) {
    if (!isNotFound(error) && !isOtherwise(error)) throw error;
  }
}

/** 422: the label is not there, or is another's. */
const isOtherwise = (error: unknown): boolean => error instanceof ApiError && error.httpStatus === 422;

function secretOf({ metadata, spec }: BareMetalHost): ObjectKey | undefined {
  const name = spec?.bmc?.credentialsName ?? '';
  return name === '' ? undefined : { namespace: metadata.namespace ?? '', name };
}
