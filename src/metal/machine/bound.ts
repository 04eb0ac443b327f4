// Whether a machine is bound to its host: something was made for the two, so that neither can be exchanged.

import { Metal3DataClaim } from '../../kinds/generated/metal3-data-claim.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import type { KubeWorld } from '../../kube/controller.ts';
import { keyOf } from '../../kube/object.ts';
import { isOwnedBy } from '../../kube/owners.ts';

export function isBound(machine: Metal3Machine, { caches }: Pick<KubeWorld, 'caches'>): boolean {
  const { spec, status } = machine;
  if (spec?.providerID !== undefined || status?.renderedData !== undefined) return true;
  const claim = caches.of(Metal3DataClaim).get(keyOf(machine));
  return claim !== undefined && isOwnedBy(claim, Metal3Machine, machine);
}
