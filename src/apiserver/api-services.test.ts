import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog } from '../base/log.ts';
import { HandClock } from './api-double.ts';
import { API_SERVICES, ApiServices } from './api-services.ts';
import { resources } from './builtin/index.ts';
import { InTurn } from './in-turn.ts';
import { Registry } from './registry.ts';
import type { Store } from './store.ts';
import { memoryStore } from './store-memory.ts';

const RANDOM = { below: () => 0, uuid: () => 'u', bytes: (n: number) => new Uint8Array(n), stream: () => RANDOM };

/** A store that counts the rows that are asked for. */
function counted(): { readonly store: Store; readonly reads: () => number } {
  const store = memoryStore();
  let reads = 0;
  const counting = new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...args: readonly unknown[]): unknown => {
        const answer: unknown = Reflect.apply(value, target, args);
        if (name === 'get') reads += 1;
        if (name === 'range') reads += (answer as ReturnType<Store['range']>)?.rows.length ?? 0;
        return answer;
      };
    },
  });
  return { store: counting, reads: () => reads };
}

interface World {
  readonly services: ApiServices;
  readonly store: Store;
  readonly reads: () => number;
  readonly settled: () => Promise<void>;
}

function aWorld(): World {
  const { store, reads } = counted();
  const core = {
    store,
    clock: new HandClock(),
    random: RANDOM,
    parts: { resources },
    registry: new Registry(resources),
  };
  const turns = new InTurn(silentLog);
  const services = new ApiServices(core, turns);
  store.onChange(({ row }) => services.changed(row.name));
  const settled = async (): Promise<void> => {
    // A write is seen a turn later, and looked at once more.
    for (let round = 0; round < 3; round += 1) {
      await new Promise<void>(resolve => turns.next('', async () => resolve()));
      for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
    }
  };
  return { services, store, reads, settled };
}

const namesIn = (store: Store): readonly string[] => store.range(API_SERVICES)?.rows.map(({ name }) => name) ?? [];

test('an APIService stays as long as one definition serves its version', async () => {
  const { services, store, settled } = aWorld();
  services.serves('a.example.com', 'example.com', ['v1', 'v2']);
  services.serves('b.example.com', 'example.com', ['v1']);
  await settled();
  const both = namesIn(store);

  services.serves('a.example.com', 'example.com', []);
  await settled();

  assert.deepEqual(both, ['v1.example.com', 'v2.example.com']);
  assert.deepEqual(namesIn(store), ['v1.example.com']);
});

test('an APIService that somebody removed comes again', async () => {
  const { services, store, settled } = aWorld();
  services.serves('a.example.com', 'example.com', ['v1']);
  await settled();
  const row = store.get({ storage: API_SERVICES, namespace: '', name: 'v1.example.com' });
  assert.ok(row !== undefined);

  const { storage, namespace, name, revision, object } = row;
  await store.write({ storage, namespace, name, expected: revision, object, remove: true });
  await settled();

  assert.deepEqual(namesIn(store), ['v1.example.com']);
});

test('one more definition costs as much beside two thousand as beside none', async () => {
  const readsBeside = async (others: number): Promise<number> => {
    const { services, reads, settled } = aWorld();
    for (let n = 0; n < others; n += 1) services.serves(`d${n}.g${n}.example.com`, `g${n}.example.com`, ['v1']);
    await settled();
    const before = reads();
    services.serves('one.more.example.com', 'more.example.com', ['v1']);
    await settled();
    return reads() - before;
  };

  const [alone, among] = [await readsBeside(0), await readsBeside(2000)];

  assert.ok(alone > 0);
  assert.equal(among, alone);
});
