import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualClock } from '../../../sim/time/clock.ts';
import { silentLog } from '../../base/log.ts';
import { Closing } from './closing.ts';

function aClosing() {
  const clock = virtualClock();
  const ended: string[] = [];
  const closing = new Closing({ clock, log: silentLog });
  const ends = (what: string) => async (): Promise<void> => void ended.push(what);
  return { clock, closing, ended, ends };
}

test('what was started last ends first, each although another failed', async () => {
  const { closing, ended, ends } = aClosing();
  closing.add('api', ends('api'));
  closing.add('broken', () => Promise.reject(new Error('no')));
  closing.run('manager', async signal => {
    await new Promise(resolve => signal.addEventListener('abort', resolve));
    ended.push('manager');
  });

  await closing.close();

  assert.deepEqual(ended, ['manager', 'api']);
});

test('what does not end in time is left, and the rest ends all the same', async () => {
  const { clock, closing, ended, ends } = aClosing();
  closing.add('api', ends('api'));
  closing.add('stuck', () => new Promise(() => undefined));

  const closed = closing.close();
  await clock.advance(60_000);
  await closed;

  assert.deepEqual(ended, ['api']);
});

test('a program that fails is told to whoever waits', async () => {
  const { closing } = aClosing();
  closing.run('manager', () => Promise.reject(new Error('broken')));

  await assert.rejects(closing.failed, /broken/);
  await closing.close();
});
