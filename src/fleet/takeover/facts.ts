// What a takeover finds on a cluster: everything its plan and its refusal rest on, read live.

import type { Clock } from '../../base/clock.ts';
import { clusterUidOf } from '../../deletion/cluster.ts';
import type { Api } from '../../kube/api.ts';
import { bundleOf } from '../metal-endpoint/authorities.ts';
import { readShared } from '../metal-endpoint/shared-authorities.ts';
import { upstreamActivity } from './activity.ts';
import { clusterApiCore } from './cluster-api-core.ts';
import { type FoundDefinition, foundDefinitions } from './definitions-found.ts';
import type { HalfName } from './halves.ts';
import { type FoundWebhooks, foundWebhooks } from './webhooks-found.ts';

export interface Facts {
  /** The UID of `kube-system`: which cluster this is. */
  readonly cluster: string;
  /** `Cluster API core v1.11.2`. */
  readonly core: string;
  readonly halves: readonly HalfName[];
  /** What of upstream still works, in words. */
  readonly active: readonly string[];
  readonly definitions: readonly FoundDefinition[];
  readonly webhooks: readonly FoundWebhooks[];
  /** PEM, as the endpoint's replicas share it; undefined when none has run here. */
  readonly bundle: string | undefined;
}

/** Takes some seconds where a lease of upstream has to be watched. Throws when Cluster API core is missing or too old, or a read fails: nothing is planned from a partial view. */
export async function factsOf(
  world: { readonly api: Api; readonly clock: Clock; readonly say: (line: string) => void },
  halves: readonly HalfName[],
): Promise<Facts> {
  const { api } = world;
  const core = await clusterApiCore(api);
  const definitions = await foundDefinitions(api, halves);
  const { authorities } = await readShared(api);
  return {
    cluster: await clusterUidOf(api),
    core,
    halves,
    active: await upstreamActivity(world, halves, definitions),
    definitions,
    webhooks: await foundWebhooks(api, halves),
    bundle: authorities === undefined ? undefined : bundleOf(authorities),
  };
}
