// Which host a machine gets: one kept for it before any other, then chance among those that are free, its domain first.

import type { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import type { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { FAILURE_DOMAIN_LABEL, NODE_REUSE_LABEL } from '../../kinds/metal-wire.ts';
import type { KubeWorld } from '../../kube/controller.ts';
import { keyText, labelOf, type ObjectKey } from '../../kube/object.ts';
import { clusterKeeping } from './consumer.ts';
import { unfit } from './eligibility.ts';
import { isUnused, unusedHosts } from './hosts.ts';
import { hostSelectorOf } from './selector.ts';
import { isSpokenFor } from './spoken-for.ts';
import { isAvailable } from './state.ts';

/** What a machine is, as far as a choice goes. */
export interface Wish {
  readonly machine: Metal3Machine;
  readonly cluster: ObjectKey;
  readonly failureDomain: string | undefined;
  /** The name under which hosts are kept for it. */
  readonly reuseName: string | undefined;
}

export type Choice =
  | { readonly kind: 'chosen'; readonly host: BareMetalHost }
  /** A host is kept for this machine, and is not ready yet: it waits rather than take another. */
  | { readonly kind: 'kept'; readonly host: BareMetalHost }
  /** `passedOver`: others are about to reserve all that there are. */
  | { readonly kind: 'none'; readonly passedOver: boolean };

/** Reads caches only: what is chosen is still to be reserved, and another may be faster. */
export function chooseHost(wish: Wish, world: Pick<KubeWorld, 'caches' | 'clock' | 'random'>): Choice {
  const allows = hostSelectorOf(wish.machine);
  const open = unusedHosts(wish.machine.metadata.namespace ?? '', world).filter(
    host => allows(host) && unfit(host) === undefined && isOpenTo(wish, host),
  );
  const kept = open.filter(host => labelOf(host, NODE_REUSE_LABEL) !== undefined);
  const available = (kept.length > 0 ? kept : open).filter(isAvailable);
  const from = available.filter(host => !isSpokenFor(host, wish.machine, world));
  const host = oneOf(preferred(from, wish), world);
  if (host !== undefined) return { kind: 'chosen', host };
  const [first] = kept;
  return first === undefined ? { kind: 'none', passedOver: available.length > 0 } : { kind: 'kept', host: first };
}

/** Whether a host that is on record may be reserved now. In words that go on after its name; undefined when it may. */
export function closedTo(wish: Wish, host: BareMetalHost): string | undefined {
  if (!isUnused(host) || !isOpenTo(wish, host)) return 'is kept for others';
  return unfit(host) ?? (isAvailable(host) ? undefined : 'is not available');
}

/** Nobody keeps it, or it is kept for just this machine (metal-7.10). */
function isOpenTo({ cluster, reuseName }: Wish, host: BareMetalHost): boolean {
  const mark = labelOf(host, NODE_REUSE_LABEL);
  if (mark !== undefined && mark !== reuseName) return false;
  const keeper = clusterKeeping(host);
  return keeper === undefined || (mark !== undefined && keyText(keeper) === keyText(cluster));
}

/** Those in the machine's failure domain, or, where none is, all. */
function preferred(hosts: readonly BareMetalHost[], { failureDomain }: Wish): readonly BareMetalHost[] {
  if (failureDomain === undefined) return hosts;
  const inDomain = hosts.filter(host => labelOf(host, FAILURE_DOMAIN_LABEL) === failureDomain);
  return inDomain.length === 0 ? hosts : inDomain;
}

function oneOf(hosts: readonly BareMetalHost[], { random }: Pick<KubeWorld, 'random'>): BareMetalHost | undefined {
  return hosts.length === 0 ? undefined : hosts[random.below(hosts.length)];
}
