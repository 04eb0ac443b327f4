// How a host is frozen for a move, with its status on it, and how it is thawed.

import type { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import {
  BLOCK_MOVE_ANNOTATION,
  HOST_PAUSED_ANNOTATION,
  HOST_PAUSED_BY_PROVIDER,
  HOST_STATUS_ANNOTATION,
} from '../../kinds/metal-wire.ts';
import { annotationOf } from '../../kube/object.ts';
import type { HostChange } from './write.ts';

type Annotations = Readonly<Record<string, string | null>>;

/**
 * What a frozen host bears: the pause (somebody else's stays as it is) and its status, for the operator of the target
 * cluster to take up. In the same write it no longer blocks the move: clusterctl goes on when all three are so.
 */
export function frozen(host: BareMetalHost): HostChange {
  const paused = annotationOf(host, HOST_PAUSED_ANNOTATION) ?? HOST_PAUSED_BY_PROVIDER;
  return annotated({
    [HOST_PAUSED_ANNOTATION]: paused,
    ...statusOf(host),
    [BLOCK_MOVE_ANNOTATION]: null,
  });
}

/** Only our own pause goes. The host blocks a move again, until it is frozen again. */
export function thawed(host: BareMetalHost): HostChange {
  const isOurs = annotationOf(host, HOST_PAUSED_ANNOTATION) === HOST_PAUSED_BY_PROVIDER;
  return annotated({ ...(isOurs ? { [HOST_PAUSED_ANNOTATION]: null } : {}), [BLOCK_MOVE_ANNOTATION]: 'true' });
}

/**
 * Without the hardware: with it an annotation grew too large (metal-7.12). A host that has just been moved here has no
 * status yet: what it brought stays.
 */
function statusOf({ status = {} }: BareMetalHost): Annotations {
  const { hardware: _tooLarge, ...rest } = status;
  return Object.keys(rest).length === 0 ? {} : { [HOST_STATUS_ANNOTATION]: JSON.stringify(rest) };
}

const annotated = (annotations: Annotations): HostChange => ({ metadata: { annotations } });
