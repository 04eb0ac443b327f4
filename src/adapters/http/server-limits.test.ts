import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultLimits, InFlight, Load } from './server-limits.ts';

test('requests beyond the bound wait, longest first, and those beyond that are refused', async () => {
  const gate = new InFlight(1, 2);
  const first = gate.enter();
  const order: string[] = [];
  const waiting = ['second', 'third'].map(async name => {
    const release = await gate.enter();
    order.push(name);
    return release;
  });

  const refused = gate.enter();
  if (typeof first === 'function') first();
  const second = await waiting[0];
  second?.();
  const third = await waiting[1];
  third?.();

  assert.equal(refused, undefined);
  assert.deepEqual(order, ['second', 'third']);
  assert.equal(typeof gate.enter(), 'function');
});

test('watches and what is carried on to a kubelet hold no place', () => {
  const load = new Load({ ...defaultLimits, reads: 1, writes: 1, waiting: 0 });
  const get = (path: string, query = ''): unknown => load.enter({ method: 'GET', path, query, headers: {} });

  assert.equal(typeof get('/api/v1/pods', 'watch=1'), 'function');
  assert.equal(typeof get('/api/v1/namespaces/a/pods/b/log', 'follow=true'), 'function');
  assert.equal(typeof get('/api/v1/namespaces/a/pods/b/exec', 'command=ls'), 'function');
  assert.equal(typeof get('/api/v1/pods'), 'function');
  assert.equal(get('/api/v1/pods'), undefined);
});

test('bodies are read while there is room for all of them together', () => {
  const load = new Load({ ...defaultLimits, bodyBytes: 10 });

  assert.ok(load.takeBody(8));
  assert.ok(!load.takeBody(3));
  load.giveBody(8);
  assert.ok(load.takeBody(3));
});
