// A lease of upstream is judged by its change, on the monotonic clock of whoever looks; the clock of its holder can only add to that.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualClock } from '../../../sim/time/clock.ts';
import { seededRandom } from '../../../sim/time/random.ts';
import { kubeMicroTime, minutes, seconds } from '../../base/clock.ts';
import { client } from '../../kube/client.ts';
import { Lease } from '../../kube/core/node.ts';
import { Namespace } from '../../kube/core/other.ts';
import { inProcessApi } from '../api.ts';
import { judgedLeases, UpstreamLeases } from './upstream-leases.ts';

const KEY = { namespace: 'capm3-system', name: 'controller-leader-election-capm3' };
const IPAM = { namespace: 'capm3-system', name: 'controller-leader-election-ipam-capm3' };

async function aCluster() {
  const clock = virtualClock();
  const served = await inProcessApi({ clock, random: seededRandom(1) });
  const api = client(served.transport, { clock });
  await api.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'capm3-system' } });
  const leases = new UpstreamLeases({ api, clock }, ['metal', 'ipam']);
  const renewTime = (): string => kubeMicroTime(clock.now() - minutes(10));
  return {
    api,
    clock,
    /** What one program says of each, on every look. */
    standings: async (): Promise<readonly string[]> => (await leases.look()).map(({ standing }) => standing),
    /** By a host whose clock is ten minutes behind. */
    takes: (key = KEY, leaseDurationSeconds = 15): Promise<unknown> =>
      api.create(Lease, {
        apiVersion: 'coordination.k8s.io/v1',
        kind: Lease.kind,
        metadata: key,
        spec: { holderIdentity: 'capm3-0_x', leaseDurationSeconds, renewTime: renewTime() },
      }),
    renews: (): Promise<unknown> => api.patch(Lease, KEY, { spec: { renewTime: renewTime() } }),
    close: () => served.close(),
  };
}

test('one that changes is renewed until it has not for as long as it is good for; a look alone is no answer', async () => {
  const cluster = await aCluster();
  await cluster.takes();

  const first = await cluster.standings();
  await cluster.clock.advance(seconds(14));
  const still = await cluster.standings();
  await cluster.renews();
  const changed = await cluster.standings();
  await cluster.clock.advance(seconds(14));
  const later = await cluster.standings();
  await cluster.clock.advance(seconds(1));
  const silent = await cluster.standings();

  assert.deepEqual([first, still, changed, later, silent].flat(), [
    'watched',
    'watched',
    'renewed',
    'renewed',
    'silent',
  ]);
  await cluster.close();
});

test('one that was not there a look ago is renewed, and so is one that somebody takes', async () => {
  const cluster = await aCluster();
  await cluster.standings();

  await cluster.takes();
  const come = await cluster.standings();
  await cluster.api.patch(Lease, KEY, { spec: { holderIdentity: '' } });
  const free = await cluster.standings();
  await cluster.api.patch(Lease, KEY, { spec: { holderIdentity: 'capm3-1_y' } });
  const taken = await cluster.standings();

  assert.deepEqual([come, free, taken], [['renewed'], [], ['renewed']]);
  await cluster.close();
});

test('a wall clock that jumps makes no lease silent', async () => {
  const cluster = await aCluster();
  await cluster.takes();
  await cluster.standings();
  await cluster.clock.advance(seconds(2));
  await cluster.renews();

  cluster.clock.jumpWall(minutes(60));

  assert.deepEqual(await cluster.standings(), ['renewed']);
  await cluster.close();
});

test('one that claims to be good for a second is watched for no less than upstream takes', async () => {
  const cluster = await aCluster();
  await cluster.takes(KEY, 1);

  await cluster.standings();
  await cluster.clock.advance(seconds(14));

  assert.deepEqual(await cluster.standings(), ['watched']);
  await cluster.close();
});

test('one that claims to be good for longer is watched for longer, though never for hours', async () => {
  const cluster = await aCluster();
  await cluster.takes(KEY, 1);
  await cluster.takes(IPAM, 100_000);
  const said: string[] = [];
  let judged: readonly string[] | undefined;

  const judging = judgedLeases({ ...cluster, say: line => said.push(line) }, ['metal', 'ipam']).then(leases => {
    judged = leases.map(({ standing }) => standing);
  });
  await cluster.clock.advance(seconds(59));
  const before = judged;
  await cluster.clock.advance(seconds(2));

  assert.equal(before, undefined);
  assert.deepEqual(judged, ['silent', 'silent']);
  await judging;
  assert.deepEqual(said, [
    'Waiting: whether anybody renews Lease capm3-system/controller-leader-election-capm3, held by capm3-0_x, or Lease capm3-system/controller-leader-election-ipam-capm3, held by capm3-0_x, shows within 60 s',
  ]);
  await cluster.close();
});
