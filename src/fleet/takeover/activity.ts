// Whether upstream's managers still work: their Pods, their leases, and what they wrote of late. A missing lease proves nothing.

import type { Clock } from '../../base/clock.ts';
import type { Api } from '../../kube/api.ts';
import { Pod } from '../../kube/core/pod.ts';
import { ApiError } from '../../kube/errors.ts';
import { type Kind, metadataOf } from '../../kube/kind.ts';
import { type KubeObject, keyOf, keyText } from '../../kube/object.ts';
import type { FoundDefinition } from './definitions-found.ts';
import { HALVES, type HalfName, storedKindOf } from './halves.ts';
import { type HeldLease, isRenewed, judgedLeases } from './upstream-leases.ts';
import { laterOf, recentUpstreamWrite, type UpstreamWrite, writeText } from './upstream-writes.ts';

export const PROVIDER_LABEL = 'cluster.x-k8s.io/provider';

type Asking = { readonly api: Api; readonly clock: Clock };

/** Each in words, with its name: `Pod capm3-system/capm3-controller-manager-0 (infrastructure-metal3) is Running`. */
export async function upstreamActivity(
  asking: Asking & { readonly say: (line: string) => void },
  halves: readonly HalfName[],
  definitions: readonly FoundDefinition[],
): Promise<readonly string[]> {
  const leases = await judgedLeases(asking, halves);
  const found = await Promise.all(
    halves.map(async half => {
      const write = await lastUpstreamWrite(asking, half, kindsFound(half, definitions));
      return [...(await runningPods(asking.api, half)), ...written(write)];
    }),
  );
  return [...renewed(leases), ...found.flat()];
}

/** In words: what of upstream is there to work, whether or not it has written anything yet. */
export async function runningUpstream(
  api: Api,
  half: HalfName,
  leases: readonly HeldLease[],
): Promise<readonly string[]> {
  return [...(await runningPods(api, half)), ...renewed(leases)];
}

const renewed = (leases: readonly HeldLease[]): readonly string[] =>
  leases.filter(isRenewed).map(({ name, holder }) => `${name} is held by ${holder}`);

async function runningPods(api: Api, half: HalfName): Promise<readonly string[]> {
  const { provider } = HALVES[half];
  const { items } = await api.list(Pod, { labels: `${PROVIDER_LABEL}=${provider}` });
  return items
    .filter(({ status }) => status?.phase !== 'Succeeded' && status?.phase !== 'Failed')
    .map(pod => `Pod ${keyText(keyOf(pod))} (${provider}) is ${pod.status?.phase ?? 'Pending'}`);
}

/** Of all objects of these kinds. */
export async function lastUpstreamWrite(
  { api, clock }: Asking,
  half: HalfName,
  kinds: readonly Kind[],
): Promise<UpstreamWrite | undefined> {
  const nowMs = clock.now();
  let last: UpstreamWrite | undefined;
  for (const kind of kinds) {
    const objects = await readable(api, kind);
    for (const object of objects) last = laterOf(last, recentUpstreamWrite(half, { kind, object, nowMs }));
  }
  return last;
}

/** As they are stored now. */
const kindsFound = (half: HalfName, definitions: readonly FoundDefinition[]): readonly Kind[] =>
  definitions.flatMap(each => (each.half === half && each.now !== undefined ? [storedKindOf(each.now)] : []));

/**
 * Objects in an older version cannot be read while upstream's converter is away, which is one program with its
 * controllers: then nobody writes them. Our manager looks again, through our converter, before it starts.
 */
async function readable(api: Api, kind: Kind): Promise<readonly KubeObject[]> {
  try {
    return (await api.list(metadataOf(kind))).items;
  } catch (error) {
    if (error instanceof ApiError && error.httpStatus === 500 && /conversion webhook/.test(error.message)) return [];
    throw error;
  }
}

const written = (write: UpstreamWrite | undefined): readonly string[] =>
  write === undefined ? [] : [writeText(write)];
