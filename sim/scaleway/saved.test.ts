import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualClock } from '../time/clock.ts';
import { seededRandom } from '../time/random.ts';
import { SavedScaleway } from './saved.ts';
import type { ScalewayState } from './state.ts';

function savedScaleway() {
  const clock = virtualClock();
  let saved: ScalewayState | undefined;
  const model = new SavedScaleway({ clock, random: seededRandom(1) }, state => {
    saved = state;
  });
  return { clock, model, last: () => saved ?? assert.fail('nothing was saved') };
}

test('every change is saved before the call that made it answers', () => {
  const { model, last } = savedScaleway();
  const server = model.order({ name: 'pool-0' });
  assert.equal(last().servers[0]?.name, 'pool-0');

  model.updateServer(server.zone, server.id, { name: 'mac-0' });
  assert.equal(last().servers[0]?.name, 'mac-0');

  const key = model.createSSHKey('fleet', 'ssh-ed25519 AAAA');
  assert.deepEqual(last().keys, [key]);

  model.reinstallServer(server.zone, server.id, undefined);
  assert.equal(last().servers[0]?.status, 'reinstalling');
  assert.equal(last().servers[0]?.wipes, 1);
});

test('what settles by itself is saved too, and a start from what was saved goes on', async () => {
  const { clock, model, last } = savedScaleway();
  const server = model.order({ name: 'mac-0' });
  model.reinstallServer(server.zone, server.id, undefined);
  await clock.advance(100_000);

  const next = new SavedScaleway({ clock, random: seededRandom(2), state: model.snapshot() }, () => undefined);
  model.close();
  await clock.advance(499_000);
  assert.equal(next.byId(server.id).status, 'reinstalling');
  await clock.advance(2_000);

  assert.equal(next.byId(server.id).status, 'ready');
  assert.equal(last().servers[0]?.id, server.id);
});

test('a change whose answer is lost is saved', () => {
  const { model, last } = savedScaleway();
  const server = model.order({ name: 'pool-0' });
  model.faults.next('updateServer', 'answer lost');

  assert.throws(() => model.updateServer(server.zone, server.id, { name: 'mac-0' }));

  assert.equal(last().servers[0]?.name, 'mac-0');
});
