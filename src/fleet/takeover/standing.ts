// Whether a half of the fleet is ours to run: moved over, and upstream silent. Read live; what cannot be read is no yes.

import type { Api } from '../../kube/api.ts';
import { CustomResourceDefinition } from '../../kube/core/other.ts';
import { resourceName } from '../../kube/kind.ts';
import { CONVERTED_DEFINITIONS, converterOf, OUR_ADDRESS } from '../metal-endpoint/converters.ts';
import type { OpenWorld } from '../world.ts';
import { lastUpstreamWrite, runningUpstream } from './activity.ts';
import { definitionsOfHalf, type HalfName, storedKindOf } from './halves.ts';
import { openQuestion, type UpstreamLeases } from './upstream-leases.ts';
import type { UpstreamWrite } from './upstream-writes.ts';
import { foundWebhooks } from './webhooks-found.ts';

export type Standing =
  | { readonly kind: 'ours' }
  | { readonly kind: 'not moved over'; readonly why: string }
  | { readonly kind: 'not known yet'; readonly why: string }
  | { readonly kind: 'upstream runs'; readonly what: readonly string[] }
  | { readonly kind: 'upstream writes'; readonly write: UpstreamWrite };

export async function standingOf(
  world: Pick<OpenWorld, 'api' | 'clock' | 'servedAmong'>,
  half: HalfName,
  leases: UpstreamLeases,
): Promise<Standing> {
  // Before it has moved over too: by then they have been watched, and it starts at once.
  const held = await leases.look();
  const foreign = half === 'metal' ? await foreignConverter(world.api) : undefined;
  if (foreign !== undefined) return { kind: 'not moved over', why: foreign };
  const [webhooks] = await foundWebhooks(world.api, [half]);
  if (webhooks !== undefined) {
    const { kind, configuration } = webhooks;
    const what = `${resourceName(kind)}/${configuration.metadata.name}`;
    return { kind: 'not moved over', why: `${what} of upstream still judges its kinds` };
  }
  // Its lease excludes nobody: upstream's is in another namespace, and its manifests elect no leader.
  const what = await runningUpstream(world.api, half, held);
  if (what.length > 0) return { kind: 'upstream runs', what };
  const why = openQuestion(held);
  if (why !== undefined) return { kind: 'not known yet', why };
  const write = await lastUpstreamWrite(world, half, [
    ...(await world.servedAmong(definitionsOfHalf(half).map(storedKindOf))),
  ]);
  return write === undefined ? { kind: 'ours' } : { kind: 'upstream writes', write };
}

/** A definition that is missing is in nobody's hands: its controllers are off by themselves. */
async function foreignConverter(api: Api): Promise<string | undefined> {
  for (const { metadata } of definitionsOfHalf('metal')) {
    const { name } = metadata;
    if (!CONVERTED_DEFINITIONS.includes(name)) continue;
    const definition = await api.find(CustomResourceDefinition, { name });
    const by = definition === undefined ? OUR_ADDRESS : converterOf(definition).at;
    if (by !== OUR_ADDRESS) return `${name} is converted by ${by ?? 'nobody'}, not by ${OUR_ADDRESS}`;
  }
  return undefined;
}
