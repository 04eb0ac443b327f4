// Why a host is no choice just now, whoever asks: what upstream skips, and a host that is being moved away.

import type { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import { HOST_PAUSED_ANNOTATION, HOST_UNHEALTHY_ANNOTATIONS } from '../../kinds/metal-wire.ts';
import { isBeingMoved } from '../../kinds/pause.ts';
import { annotationOf, isDeleting } from '../../kube/object.ts';

/** In words that go on after the host's name; undefined when it can be chosen once it is available. */
export function unfit(host: BareMetalHost): string | undefined {
  if (isDeleting(host)) return 'is being deleted';
  if (isBeingMoved(host)) return 'is being moved to another cluster';
  if ((host.status?.errorMessage ?? '') !== '') return `has an error: ${host.status?.errorMessage}`;
  if (annotationOf(host, HOST_PAUSED_ANNOTATION) !== undefined) return `has the annotation ${HOST_PAUSED_ANNOTATION}`;
  const unhealthy = HOST_UNHEALTHY_ANNOTATIONS.find(annotation => annotationOf(host, annotation) !== undefined);
  return unhealthy === undefined ? undefined : `has the annotation ${unhealthy}`;
}
