// Writes to a host: locked to what was read, so that nothing is decided on a host that has changed since (metal-7.6).

import { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import type { KubeWorld } from '../../kube/controller.ts';
import { isConflict, isNotFound } from '../../kube/errors.ts';
import type { Fields } from '../../kube/merge-patch.ts';
import { effective } from '../../kube/merge-patch.ts';
import { keyOf } from '../../kube/object.ts';

export interface HostChange {
  readonly metadata?: Fields;
  readonly spec?: Fields;
}

/** What of a change a host does not have yet; undefined when it has all of it. */
export function missingIn(host: BareMetalHost, change: HostChange): HostChange | undefined {
  return effective(host, { ...change });
}

/**
 * The host after the change; undefined when it changed meanwhile, or is gone: it is to be looked at again, which is no
 * failure (metal-7.8).
 */
export async function writeHost(
  host: BareMetalHost,
  { metadata, spec }: HostChange,
  { api }: Pick<KubeWorld, 'api'>,
): Promise<BareMetalHost | undefined> {
  const { uid, resourceVersion } = host.metadata;
  const body = { metadata: { ...metadata, uid, resourceVersion }, ...(spec === undefined ? {} : { spec }) };
  try {
    return await api.patch(BareMetalHost, keyOf(host), body);
  } catch (error) {
    if (isConflict(error) || isNotFound(error)) return undefined;
    throw error;
  }
}
