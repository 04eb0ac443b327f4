import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualClock } from '../../../sim/time/clock.ts';
import { seededRandom } from '../../../sim/time/random.ts';
import { minutes } from '../../base/clock.ts';
import { type Log, silentLog } from '../../base/log.ts';
import { noMetrics } from '../../base/metrics.ts';
import definitions from '../../kinds/generated/metal-definitions.generated.json' with { type: 'json' };
import { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import { Metal3DataClaim } from '../../kinds/generated/metal3-data-claim.generated.ts';
import { METAL3_DATA_CLAIM_FINALIZER } from '../../kinds/metal-wire.ts';
import { client } from '../../kube/client.ts';
import { conditionOf } from '../../kube/conditions.ts';
import type { KubeWorld } from '../../kube/controller.ts';
import { CustomResourceDefinition, Namespace } from '../../kube/core/other.ts';
import { type Kind, resourceName } from '../../kube/kind.ts';
import { done } from '../../kube/outcome.ts';
import { keyController, type Runnable } from '../../kube/run.ts';
import { inProcessApi } from '../api.ts';
import { openWorld } from '../world.ts';
import { ControllerStates } from './controller-states.ts';
import { ServedKinds } from './served-kinds.ts';
import { whileServed } from './while-served.ts';

const NAME = resourceName(Metal3DataClaim);

async function aCluster(reads: readonly Kind[] = []) {
  const clock = virtualClock();
  const random = seededRandom(1);
  const served = await inProcessApi({ clock, random });
  let isDown = false;
  const said: string[] = [];
  const log: Log = { ...silentLog, warn: message => void said.push(message), info: message => void said.push(message) };
  const transport: typeof served.transport = request =>
    isDown && request.path.startsWith('/apis')
      ? Promise.resolve({ status: 503, headers: {}, body: new Uint8Array() })
      : served.transport(request);
  const open = openWorld({ transport, component: 'test', clock, random, log, metrics: noMetrics });
  const world = { ...open, log: { ...log, with: () => silentLog } };
  const api = client(served.transport, { clock });
  await api.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'metal' } });
  const seen: string[] = [];
  const claims: Runnable<KubeWorld> = keyController({
    name: 'claims',
    kind: Metal3DataClaim,
    reads,
    pass: async ({ name }, object) => {
      seen.push(object === undefined ? `${name} gone` : name);
      return done();
    },
  });
  const states = new ControllerStates(noMetrics);
  const kinds = new ServedKinds(world, claims.kinds ?? []);
  const stopping = new AbortController();
  const running = Promise.all([
    kinds.run(stopping.signal),
    whileServed(claims, { served: kinds, states }).start(world, stopping.signal),
  ]);
  return {
    api,
    clock,
    seen,
    said,
    states,
    /** Without an answer from discovery. */
    cutOff: (is: boolean) => {
      isDown = is;
    },
    define: async (kind: Kind = Metal3DataClaim): Promise<void> => {
      const definition = definitions.find(({ metadata }) => metadata.name === resourceName(kind));
      assert.ok(definition !== undefined);
      await api.create<CustomResourceDefinition>(CustomResourceDefinition, definition);
      await clock.advance(minutes(1));
    },
    createClaim: async (name: string): Promise<void> => {
      await api.create(Metal3DataClaim, {
        apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
        kind: Metal3DataClaim.kind,
        metadata: { namespace: 'metal', name },
        spec: { template: { name: 'template' } },
      });
      await clock.advance(minutes(1));
    },
    close: async (): Promise<void> => {
      stopping.abort(new Error('the test ends'));
      await clock.advance(minutes(1));
      await running;
      await open.close();
      await served.close();
    },
  };
}

test('a controller whose kind is not served is off, says what it waits for, and comes on when it is served', async () => {
  const cluster = await aCluster();
  await cluster.clock.advance(minutes(1));
  const before = cluster.states.page();

  await cluster.define();
  await cluster.createClaim('a');

  assert.equal(before, `claims  off: waits for ${NAME}\n`);
  assert.equal(cluster.states.page(), 'claims  on\n');
  assert.deepEqual(cluster.seen, ['a']);
  assert.deepEqual(
    cluster.said.filter(line => line.startsWith('A controller is')),
    ['A controller is off: kinds that it follows are not served here', 'A controller is on: all its kinds are served'],
  );
  await cluster.close();
});

test('a controller goes off with the definition of its kind, and goes on when that is back', async () => {
  const cluster = await aCluster();
  await cluster.define();
  await cluster.api.delete(CustomResourceDefinition, { name: NAME });
  await cluster.clock.advance(minutes(1));
  const between = cluster.states.page();

  await cluster.define();
  await cluster.createClaim('b');

  assert.match(between, /off: waits for/);
  assert.deepEqual(cluster.seen, ['b']);
  await cluster.close();
});

test('a cluster that does not say what it serves switches nothing off', async () => {
  const cluster = await aCluster();
  await cluster.define();
  cluster.cutOff(true);
  await cluster.clock.advance(minutes(11));

  assert.equal(cluster.states.page(), 'claims  on\n');
  assert.ok(cluster.said.some(line => line.startsWith('The cluster does not say')));
  await cluster.close();
});

test('a definition that lacks the version which is needed is told with that version', async () => {
  const cluster = await aCluster([{ ...Metal3Data, version: 'v9' }]);
  await cluster.define();
  await cluster.define(Metal3Data);

  assert.equal(
    cluster.states.page(),
    'claims  off: waits for metal3datas.infrastructure.cluster.x-k8s.io in version v9\n',
  );
  await cluster.close();
});

test('objects that are told to go while their controller is off say so, each once, and others are left alone', async () => {
  const cluster = await aCluster([Metal3Data]);
  await cluster.define();
  for (const name of ['goes', 'stays', 'foreign']) await cluster.createClaim(name);
  const key = (name: string) => ({ namespace: 'metal', name });
  const finalizers = (name: string, ...all: readonly string[]) =>
    cluster.api.patch(Metal3DataClaim, key(name), { metadata: { finalizers: all } });
  await finalizers('goes', METAL3_DATA_CLAIM_FINALIZER);
  await finalizers('stays', METAL3_DATA_CLAIM_FINALIZER);
  await finalizers('foreign', 'test/other');
  for (const name of ['goes', 'foreign']) await cluster.api.delete(Metal3DataClaim, key(name));
  await cluster.clock.advance(minutes(1));
  const told = await cluster.api.get(Metal3DataClaim, key('goes'));
  await cluster.clock.advance(minutes(5));

  const { status, reason, message } = conditionOf(told, 'Deleting') ?? {};
  assert.deepEqual(
    [status, reason, message],
    [
      'True',
      'ControllerOff',
      'claims is off: it waits for metal3datas.infrastructure.cluster.x-k8s.io to be served on this cluster',
    ],
  );
  const later = await cluster.api.get(Metal3DataClaim, key('goes'));
  assert.equal(later.metadata.resourceVersion, told.metadata.resourceVersion);
  for (const name of ['stays', 'foreign']) {
    assert.equal(conditionOf(await cluster.api.get(Metal3DataClaim, key(name)), 'Deleting'), undefined);
  }
  await cluster.close();
});
