// A virtual fleet whose management cluster upstream has just left: its objects and webhooks are there, its programs are not.

import { seededKeys } from '../../../sim/keys/seeded-keys.ts';
import { seededRandom } from '../../../sim/time/random.ts';
import { minutes } from '../../../src/base/clock.ts';
import { USUAL_LIVES } from '../../../src/fleet/metal-endpoint/authorities.ts';
import { keepCertificate } from '../../../src/fleet/metal-endpoint/certificates.ts';
import type { HalfName } from '../../../src/fleet/takeover/halves.ts';
import { takeover } from '../../../src/fleet/takeover/takeover.ts';
import type { Api } from '../../../src/kube/api.ts';
import type { KubeObject } from '../../../src/kube/object.ts';
import { type MetalFleet, metalFleet } from '../../world/metal/fleet.ts';
import { HARDWARE, IPAM, METAL } from '../../world/metal/names.ts';
import { loadForeign, type UpstreamVersion } from './load.ts';
import { defineAsUpstream, installUpstreamWebhooks, removeOurs } from './upstream.ts';

export interface LeftCluster {
  readonly fleet: MetalFleet;
  /** What upstream left, as it was when it left. */
  readonly objects: readonly KubeObject[];
  /** What `pippin metal takeover` prints; in virtual time. */
  takeover(apply?: string, through?: Api): Promise<string>;
  /** Plans, and does what the plan says. */
  takeOver(through?: Api): Promise<string>;
}

const HALVES: readonly HalfName[] = ['metal', 'ipam'];

export interface Left {
  /** Of the folder of that version; all unless told otherwise. */
  readonly files?: readonly string[];
  /** `removed`: somebody took upstream's webhooks away already. */
  readonly webhooks?: 'removed';
}

export async function leftCluster(
  version: UpstreamVersion,
  { files = ['running', 'stuck'], webhooks }: Left = {},
): Promise<LeftCluster> {
  const fleet = await metalFleet({ without: [METAL, IPAM, HARDWARE] });
  const { api, clock } = fleet;
  await removeOurs(api);
  await defineAsUpstream(api, '1.8');
  const objects = await loadForeign(api, version, files);
  // An upgrade came in between, and not every object was written since.
  if (version === '1.13') await defineAsUpstream(api, '1.13');
  if (webhooks === undefined) await installUpstreamWebhooks(api);
  await fleet.pass(minutes(20));
  const keys = seededKeys(seededRandom('endpoint'));
  const showing = { shown: undefined, show: () => undefined };
  await keepCertificate(api, showing, () => ({ keys, lives: USUAL_LIVES, nowMs: clock.now() }));
  const random = seededRandom('takeover');
  const run = async (apply?: string, through: Api = api): Promise<string> => {
    const said: string[] = [];
    const request = { halves: HALVES, say: (line: string) => void said.push(line) };
    const running = takeover(
      { api: through, clock, random },
      { ...request, ...(apply === undefined ? {} : { apply }) },
    );
    let isOver = false;
    const settled = running.finally(() => {
      isOver = true;
    });
    settled.catch(() => undefined);
    await fleet.run(() => isOver, minutes(5));
    await settled;
    return said.join('\n');
  };
  return {
    fleet,
    objects,
    takeover: run,
    takeOver: async through => run(digestIn(await run(undefined, through)), through),
  };
}

export const digestIn = (plan: string): string | undefined => /--apply ([0-9a-f]+)/.exec(plan)?.[1];
