import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settled, virtualClock } from '../../sim/time/clock.ts';
import { seededRandom } from '../../sim/time/random.ts';
import { silentLog } from '../base/log.ts';
import { noMetrics } from '../base/metrics.ts';
import { callerOf, client } from './client.ts';
import { Pod } from './core/pod.ts';
import { caches } from './informer.ts';
import { TinyApi } from './tiny-api.testing.ts';
import type { EventStream, Transport } from './transport.ts';

/** Streams of one server that give each frame as the same bytes to all, as an API in this process does. */
function withSameBytes(transport: Transport, isSame: EventStream['sameBytes']): Transport {
  const known = new Map<string, Uint8Array>();
  const shared = (frame: Uint8Array): Uint8Array => {
    const text = Buffer.from(frame).toString();
    const first = known.get(text) ?? frame;
    known.set(text, first);
    return first;
  };
  return async request => {
    const answer = await transport(request);
    const { stream } = answer;
    if (stream === undefined) return answer;
    const next = async (): Promise<Uint8Array | undefined> => {
      const frame = await stream.next();
      return frame === undefined ? undefined : shared(frame);
    };
    const close = (reason: string): void => stream.close(reason);
    return { ...answer, stream: { next, close, ...(isSame === undefined ? {} : { sameBytes: isSame }) } };
  };
}

const POD: Pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'a', namespace: 'default' },
  spec: { containers: [] },
};

/** One Pod as two caches of a process hold it, and as they told of its end. */
async function inTwoCaches(isSame: EventStream['sameBytes']): Promise<readonly (readonly [unknown, unknown])[]> {
  const server = new TinyApi();
  const clock = virtualClock();
  const transport = withSameBytes(server.transport, isSame);
  const make = () =>
    caches({ caller: callerOf(transport, { clock }), random: seededRandom(1), log: silentLog, metrics: noMetrics });
  const running = [make(), make()];
  const pods = running.map(each => each.of(Pod));
  await Promise.all([...pods.map(each => each.whenSynced()), settled()]);
  const last: unknown[] = [];
  for (const each of pods) each.onChange(({ type, object }) => type === 'deleted' && last.push(object));
  const api = client(server.transport, { clock });
  await api.create(Pod, POD);
  await settled();
  const held = pods.map(each => each.get(POD.metadata));
  await api.delete(Pod, POD.metadata);
  await settled();
  await Promise.all(running.map(each => each.stop()));
  return [
    [held[0], held[1]],
    [last[0], last[1]],
  ];
}

test('two caches that are given the same bytes hold one object: it is read once', async () => {
  for (const [one, other] of await inTwoCaches(true)) {
    assert.ok(one !== undefined && Object.isFrozen(one));
    assert.equal(one, other);
  }
});

test('a stream that does not say that its bytes stay as they are is read each time', async () => {
  for (const [one, other] of await inTwoCaches(undefined)) {
    assert.deepEqual(one, other);
    assert.notEqual(one, other);
  }
});
