// An embedded API with two Macs in it, asked by its administrator and by the agent of one of them.

import { seededKeys } from '../../../sim/keys/seeded-keys.ts';
import { virtualClock } from '../../../sim/time/clock.ts';
import { seededRandom } from '../../../sim/time/random.ts';
import { type InProcessApi, inProcessApi } from '../../../src/fleet/api.ts';
import { installManifests, type ManifestName } from '../../../src/fleet/manifests.ts';
import { client } from '../../../src/kube/client.ts';
import { asking } from './asking.ts';
import { makeObjects, OWN } from './objects.ts';
import type { Player } from './play.ts';

export interface Embedded extends InProcessApi {
  readonly player: Player;
}

export async function embeddedApi(files: readonly ManifestName[]): Promise<Embedded> {
  const clock = virtualClock();
  const random = seededRandom('rights');
  const keys = seededKeys(random.stream('keys'));
  const served = await inProcessApi({ clock, random, access: { cryptography: keys, tokenKey: await keys.pair() } });
  await installManifests(client(served.transport, { clock }), files);
  const node = asking(served.transport, {
    name: `system:node:${OWN}`,
    groups: ['system:nodes', 'system:authenticated'],
  });
  const player: Player = {
    admin: asking(served.transport),
    node,
    request: async commonName => {
      const pem = await keys.signingRequest(await keys.pair(), commonName, ['system:nodes']);
      return Buffer.from(pem).toString('base64');
    },
  };
  await makeObjects(player.admin);
  return { ...served, player };
}
