// A cluster that does not say whether upstream works: a half that stands still does not start for that, and one that runs does not stop.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualClock } from '../../../sim/time/clock.ts';
import { seededRandom } from '../../../sim/time/random.ts';
import { minutes, seconds } from '../../base/clock.ts';
import { silentLog } from '../../base/log.ts';
import { noMetrics } from '../../base/metrics.ts';
import { client } from '../../kube/client.ts';
import { CustomResourceDefinition } from '../../kube/core/other.ts';
import type { Transport } from '../../kube/transport.ts';
import { inProcessApi } from '../api.ts';
import { definitionsOf } from '../definitions.ts';
import { metalWebhooks } from '../metal-webhooks.ts';
import { ControllerStates } from '../served/controller-states.ts';
import { openWorld } from '../world.ts';
import { UpstreamSight, whileOurs } from './while-ours.ts';

test('a half neither starts nor stops on an answer that is none, and says why it stands still (safe-1)', async () => {
  const clock = virtualClock(Date.UTC(2030, 0, 1));
  const random = seededRandom(1);
  const served = await inProcessApi({ clock, random, webhooks: metalWebhooks, definitions: 'trusted' });
  const api = client(served.transport, { clock });
  for (const each of definitionsOf(['metal'])) await api.create(CustomResourceDefinition, each);
  let isSilent = true;
  const transport: Transport = request =>
    isSilent && request.path.endsWith('/pods')
      ? Promise.resolve({ status: 503, headers: {}, body: new Uint8Array() })
      : served.transport(request);
  const seams = { clock, random, log: silentLog, metrics: noMetrics };
  const sight = new UpstreamSight('metal', () => clock.now());
  const world = openWorld({ ...seams, transport, component: 'test', seen: sight.seen });
  const states = new ControllerStates(noMetrics);
  const ran: string[] = [];
  const program = async (signal: AbortSignal): Promise<void> => {
    ran.push('on');
    await clock.sleep(minutes(1_000), signal).catch(() => undefined);
    ran.push('off');
  };
  const stop = new AbortController();
  const running = whileOurs(program, { half: 'metal', world, sight, states })(stop.signal);

  await clock.advance(minutes(2));
  const unread = { ran: [...ran], page: states.page() };
  isSilent = false;
  await clock.advance(minutes(1));
  const read = [...ran];
  isSilent = true;
  await clock.advance(minutes(5));

  assert.deepEqual(unread.ran, []);
  assert.match(unread.page, /^metal: stands still: .*whether it has moved over cannot be read/);
  assert.deepEqual(read, ['on']);
  assert.deepEqual(ran, ['on']);
  stop.abort(new Error('the test ends'));
  await clock.advance(seconds(30));
  await running;
  await world.close();
  await served.close();
});
