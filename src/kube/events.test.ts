// Events, as people see them in the API: told once, counted when repeated, and never in anybody's way.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settled } from '../../sim/time/clock.ts';
import { client } from './client.ts';
import type { Event } from './core/other.ts';
import { events, type SentEvents } from './events.ts';
import { aKubeWorld, type TestWorld } from './kube-world.testing.ts';
import type { KubeObject } from './object.ts';
import type { Transport } from './transport.ts';

const machine: KubeObject = {
  apiVersion: 'infra/v1',
  kind: 'Machine',
  metadata: { name: 'm', namespace: 'fleet', uid: 'u1', resourceVersion: '7' },
};

function telling(transport?: Transport): { world: TestWorld; events: SentEvents; stored: () => Event[] } {
  const world = aKubeWorld();
  const api = transport === undefined ? world.api : client(transport, { clock: world.clock });
  const sent = events({ ...world, api, component: 'pippin-manager' });
  return { world, events: sent, stored: () => [...world.server.stored('api/v1/events').values()] as Event[] };
}

test('an event says about what, why, and who says it', async () => {
  const { events, stored } = telling();

  events.warning(machine, 'ReleaseFailed', 'Scaleway answered 500');
  await events.flushed();

  const [event] = stored();
  assert.deepEqual(event?.involvedObject, { apiVersion: 'infra/v1', kind: 'Machine', ...machine.metadata });
  assert.equal(event?.metadata.namespace, 'fleet');
  assert.deepEqual(
    [event?.type, event?.reason, event?.message, event?.count, event?.source?.component],
    ['Warning', 'ReleaseFailed', 'Scaleway answered 500', 1, 'pippin-manager'],
  );
});

test('the same event again is counted, another one is not, and after a long silence it is told anew', async () => {
  const { world, events, stored } = telling();
  for (let time = 0; time < 3; time++) {
    events.normal(machine, 'Waiting', 'for a host');
    await world.clock.advance(60_000);
  }
  events.normal(machine, 'Adopted', 'host 42');
  await events.flushed();
  assert.deepEqual(
    stored().map(event => [event.reason, event.count]),
    [
      ['Waiting', 3],
      ['Adopted', 1],
    ],
  );

  await world.clock.advance(660_000);
  events.normal(machine, 'Waiting', 'for a host');
  await events.flushed();

  assert.equal(stored().length, 3);
});

test('an event of a cluster-scoped object is kept in the default namespace', async () => {
  const { events, stored } = telling();

  events.normal({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'mac-0' } }, 'Ready', 'again');
  await events.flushed();

  assert.equal(stored()[0]?.metadata.namespace, 'default');
});

test('an API that does not answer holds up nobody, and what waits is bounded', async () => {
  const { world, events } = telling(() => new Promise(() => undefined));

  for (let number = 0; number < 3000; number++) events.normal(machine, 'Busy', `number ${number}`);
  await settled();

  assert.equal(world.counted('pippin_events_dropped_total'), 1999);
});

test('an event that is refused is dropped and counted, and the next one is sent all the same', async () => {
  const { world, events } = telling(async () => ({ status: 403, headers: {}, body: new Uint8Array() }));

  events.normal(machine, 'One', 'x');
  events.normal(machine, 'Two', 'x');
  await events.flushed();

  assert.equal(world.counted('pippin_events_dropped_total'), 2);
});

test('an event that the server has forgotten is told anew when it happens again', async () => {
  const { world, events, stored } = telling();
  events.normal(machine, 'Waiting', 'for a host');
  await events.flushed();
  const [event] = stored();
  await world.api.delete(
    { group: '', version: 'v1', kind: 'Event', plural: 'events', namespaced: true },
    {
      namespace: 'fleet',
      name: event?.metadata.name ?? '',
    },
  );

  events.normal(machine, 'Waiting', 'for a host');
  await events.flushed();

  assert.deepEqual(
    stored().map(({ count }) => count),
    [2],
  );
});
