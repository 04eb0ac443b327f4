import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualClock } from '../../../sim/time/clock.ts';
import { seededRandom } from '../../../sim/time/random.ts';
import type { Api } from '../../kube/api.ts';
import { client } from '../../kube/client.ts';
import { isTrue } from '../../kube/conditions.ts';
import { Pod } from '../../kube/core/pod.ts';
import { inProcessApi } from '../api.ts';
import { unsayReadiness } from './fresh-start.ts';

const KEY = { namespace: 'default', name: 'demo' };
const READY = { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } };

async function apiWithReadyPod() {
  const clock = virtualClock();
  const { transport } = await inProcessApi({ clock, random: seededRandom(1) });
  const api = client(transport, { clock });
  const spec = { nodeName: 'mac-0', containers: [{ name: 'vm', image: 'x' }] };
  await api.create(Pod, { apiVersion: 'v1', kind: 'Pod', metadata: KEY, spec });
  await api.patch(Pod, KEY, READY, { subresource: 'status' });
  return { clock, api };
}

const isReady = async (api: Api): Promise<boolean> => isTrue(await api.get(Pod, KEY), 'Ready');

test('a Pod on a Node is not Ready until its agent says so again (up-7)', async () => {
  const { api, clock } = await apiWithReadyPod();

  await unsayReadiness(api, clock);

  const { status } = await api.get(Pod, KEY);
  assert.equal(await isReady(api), false);
  assert.equal(status?.phase, 'Running');
});

test('what an agent says while it is unsaid stands', async () => {
  const { api, clock } = await apiWithReadyPod();
  const listing: Api = {
    ...api,
    list: async (kind, options) => {
      const listed = await api.list(kind, options);
      await api.patch(Pod, KEY, { status: { podIP: '192.168.64.2' } }, { subresource: 'status' });
      return listed;
    },
  };

  await unsayReadiness(listing, clock);

  assert.equal(await isReady(api), true);
});
