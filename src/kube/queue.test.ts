// The queue: order, one pass per key at a time, and nothing lost, whatever happens in between.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { virtualClock } from '../../sim/time/clock.ts';
import { seededRandom } from '../../sim/time/random.ts';
import { Queue } from './queue.ts';

const clock = virtualClock();
const aQueue = (): Queue => new Queue(clock, seededRandom(1));

async function takeAll(queue: Queue): Promise<string[]> {
  const keys: string[] = [];
  while (queue.depth('change') + queue.depth('routine') > 0) keys.push((await queue.take())?.key ?? '');
  return keys;
}

test('a change goes before routine rechecks, and each lane keeps its order', async () => {
  const queue = aQueue();
  for (const key of ['a', 'b', 'c']) queue.add(key, 'restart', 'routine');
  queue.add('x', 'deleted', 'change');
  queue.add('y', 'changed', 'change');

  assert.deepEqual(await takeAll(queue), ['x', 'y', 'a', 'b', 'c']);
});

test('a change of a key that waits for a recheck lifts it, with both reasons', async () => {
  const queue = aQueue();
  queue.add('a', 'restart', 'routine');
  queue.add('b', 'restart', 'routine');
  queue.add('b', 'deleted', 'change');

  assert.deepEqual(await queue.take(), { key: 'b', lane: 'change', why: ['restart', 'deleted'] });
  assert.deepEqual(await takeAll(queue), ['a']);
});

test('rechecks get a turn although changes never cease', async () => {
  const queue = aQueue();
  queue.add('recheck', 'timer', 'routine');
  const taken: string[] = [];
  for (let turn = 0; turn < 50; turn++) {
    queue.add(`change-${turn}`, 'changed', 'change');
    taken.push((await queue.take())?.key ?? '');
  }

  assert.ok(taken.includes('recheck'));
});

test('a key that changes during its pass gets another pass after it, never one beside it', async () => {
  const queue = aQueue();
  queue.add('a', 'changed', 'change');
  await queue.take();
  queue.add('a', 'changed again', 'change');
  queue.add('b', 'changed', 'change');

  assert.equal((await queue.take())?.key, 'b');
  assert.equal(queue.depth('change'), 0);
  queue.done('a');

  assert.deepEqual(await queue.take(), { key: 'a', lane: 'change', why: ['changed again'] });
});

test('of two timers of one key the earlier one counts, and a pass in between takes it off', async () => {
  const queue = aQueue();
  queue.addAfter('a', 'recheck', 1000);
  queue.addAfter('a', 'sooner', 100);
  queue.addAfter('a', 'later', 500);

  await clock.advance(100);
  assert.deepEqual((await queue.take())?.why, ['sooner']);
  queue.done('a');
  queue.addAfter('a', 'recheck', 1000);
  queue.add('a', 'changed', 'change');
  await queue.take();
  queue.done('a');
  await clock.advance(10_000);

  assert.equal(queue.depth('routine'), 0);
});

test('failures in a row are tried later and later, up to a bound, and success starts anew', () => {
  const queue = aQueue();
  const delays = Array.from({ length: 12 }, () => queue.backOff('a', 'failed', { firstMs: 500 }));
  queue.succeed('a');

  assert.ok((delays[0] ?? 0) <= 501 && (delays[5] ?? 0) > 4000, String(delays));
  assert.ok(Math.max(...delays) <= 120_001 && (delays[11] ?? 0) >= 60_000, String(delays));
  assert.ok(queue.backOff('a', 'failed', { firstMs: 500 }) <= 501);
  assert.ok(queue.backOff('b', 'failed', { firstMs: 500, atLeastMs: 7000 }) >= 7000, 'as late as the server asks');
  queue.close();
});

test('closing lets every taker go and fires no timer any more', async () => {
  const queue = aQueue();
  const taking = queue.take();
  queue.addAfter('a', 'recheck', 10);

  queue.close();
  await clock.advance(100);

  assert.equal(await taking, undefined);
  assert.equal(await queue.take(), undefined);
});

type Command = { do: 'add' | 'later' | 'fail' | 'take' | 'done' | 'time'; key: string; lane: 'change' | 'routine' };

test('every key that is put in gets a pass after it was put in, and no key two at once', async () => {
  const command = fc.record({
    do: fc.constantFrom<Command['do']>('add', 'add', 'later', 'fail', 'take', 'take', 'done', 'time'),
    key: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    lane: fc.constantFrom<Command['lane']>('change', 'routine'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(command, { maxLength: 80 }), async commands => {
      const time = virtualClock();
      const queue = new Queue(time, seededRandom(2));
      const owed = new Set<string>();
      const busy: string[] = [];
      const take = async (): Promise<void> => {
        const depth = queue.depth('change') + queue.depth('routine');
        const entry = depth === 0 ? undefined : await queue.take();
        if (entry === undefined) return;
        assert.ok(!busy.includes(entry.key), `${entry.key} twice at once`);
        busy.push(entry.key);
        owed.delete(entry.key);
      };
      const deeds: Record<Command['do'], (command: Command) => unknown> = {
        add: ({ key, lane }) => queue.add(key, 'added', lane),
        later: ({ key }) => queue.addAfter(key, 'later', 700),
        fail: ({ key }) => queue.backOff(key, 'failed', { firstMs: 100 }),
        take,
        done: () => {
          const key = busy.shift();
          if (key !== undefined) queue.done(key);
        },
        time: () => time.advance(400),
      };

      for (const each of commands) {
        if (['add', 'later', 'fail'].includes(each.do)) owed.add(each.key);
        await deeds[each.do](each);
      }
      while (busy.length > 0) queue.done(busy.shift() ?? '');
      await time.advance(600_000);
      while (queue.depth('change') + queue.depth('routine') > 0) await take();

      assert.deepEqual([...owed], [], 'owed a pass');
    }),
    { numRuns: 500, seed: 4711 },
  );
});
