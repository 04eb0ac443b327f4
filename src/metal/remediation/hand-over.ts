// When a reboot does not help: the host is chosen no more, and the Machine's owner is asked to replace it.

import type { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import { BareMetalHost as Host } from '../../kinds/generated/bare-metal-host.generated.ts';
import { Machine } from '../../kinds/generated/machine.generated.ts';
import { HOST_UNHEALTHY_ANNOTATIONS } from '../../kinds/metal-wire.ts';
import { isBeingMoved } from '../../kinds/pause.ts';
import { conditionsOf, withVerdicts } from '../../kube/conditions.ts';
import type { KubeWorld } from '../../kube/controller.ts';
import { patchMetadata } from '../../kube/finalizers.ts';
import { annotationOf, type Condition, keyOf } from '../../kube/object.ts';
import { UNHEALTHY_VALUE } from './names.ts';

const [UNHEALTHY] = HOST_UNHEALTHY_ANNOTATIONS;
const OWNER_REMEDIATED = 'OwnerRemediated';
const REASON = 'WaitingForRemediation';

/** A successor of the Machine must not get this host, so that is written first. */
export async function markUnhealthy(host: BareMetalHost, { api }: KubeWorld): Promise<void> {
  if (isBeingMoved(host) || annotationOf(host, UNHEALTHY) !== undefined) return;
  await patchMetadata(api, Host, host, { annotations: { [UNHEALTHY]: UNHEALTHY_VALUE } });
}

interface OlderStatus {
  readonly deprecated?: { readonly v1beta1?: { readonly conditions?: readonly Condition[] } };
}

/** In both lists: owners of Cluster API 1.11 and later read the first, those before it the second. */
export async function handToOwner(machine: Machine, why: string, { api, clock }: KubeWorld): Promise<void> {
  const older = (machine.status as OlderStatus | undefined)?.deprecated?.v1beta1?.conditions ?? [];
  if ([conditionsOf(machine), older].every(isAsked)) return;
  const said = { type: OWNER_REMEDIATED, status: 'False', reason: REASON } as const;
  const { uid, resourceVersion } = machine.metadata;
  const status = {
    conditions: withVerdicts(conditionsOf(machine), [{ ...said, message: why }], clock.now()),
    deprecated: {
      v1beta1: { conditions: withVerdicts(older, [{ ...said, severity: 'Warning', message: why }], clock.now()) },
    },
  };
  const body = { metadata: { uid, resourceVersion }, status };
  await api.patch(Machine, keyOf(machine), body, { subresource: 'status' });
}

const isAsked = (conditions: readonly Condition[]): boolean =>
  conditions.some(({ type, status }) => type === OWNER_REMEDIATED && status === 'False');
