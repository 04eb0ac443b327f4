// What programs ask for besides their controllers' work: where the API is, who leads, and a new certificate.

import assert from 'node:assert/strict';
import { seededRandom } from '../../../sim/time/random.ts';
import { minutes, seconds } from '../../../src/base/clock.ts';
import { silentLog } from '../../../src/base/log.ts';
import { noMetrics } from '../../../src/base/metrics.ts';
import { agentApi } from '../../../src/fleet/agent-api.ts';
import { managerIdentity } from '../../../src/fleet/manifests.ts';
import { client } from '../../../src/kube/client.ts';
import { ConfigMap } from '../../../src/kube/core/other.ts';
import { Election } from '../../../src/kube/leader.ts';
import type { Identity, Transport } from '../../../src/kube/transport.ts';
import { hostNamed, must } from '../../stories/stranded-pods/act.ts';
import { createMac } from '../../world/acts.ts';
import type { VirtualFleet } from '../../world/fleet.ts';
import { agentOf } from '../../world/macs.ts';
import type { Run } from '../runs.ts';

const LEASE = 'scaleway-applesilicon.infrastructure.cluster.x-k8s.io';

const as =
  (identity: Identity, api: Transport): Transport =>
  request =>
    api({ ...request, identity });

/** Waits, in virtual time, for what is under way. */
async function awaited<T>(fleet: VirtualFleet, what: string, work: Promise<T>): Promise<T> {
  let isOver = false;
  void work.finally(() => {
    isOver = true;
  });
  await must(fleet, what, () => isOver);
  return work;
}

const clusterInfo: ConfigMap = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: 'kube-public', name: 'cluster-info' },
  data: {
    kubeconfig: JSON.stringify({
      clusters: [{ cluster: { server: 'https://api:6443', 'certificate-authority-data': btoa('CA') } }],
    }),
  },
};

export const programRuns: readonly Run[] = [
  {
    name: 'a manager finds out how agents reach the API',
    play: async (fleet, api) => {
      await fleet.api.create(ConfigMap, clusterInfo);
      const manager = client(api, { clock: fleet.clock, identity: managerIdentity });
      const found = await awaited(fleet, 'it knows', agentApi(undefined, { server: 'https://api' }, manager));
      assert.equal(found.url, 'https://api:6443');
    },
  },
  {
    name: 'two managers lead one after the other',
    play: async ({ clock, pass }, api) => {
      for (const name of ['first', 'second']) {
        const stop = new AbortController();
        const seams = { clock, random: seededRandom(name), log: silentLog, metrics: noMetrics };
        const transport = as(managerIdentity, api);
        const election = new Election({
          ...seams,
          transport,
          namespace: 'pippin-system',
          name: LEASE,
          identity: name,
        });
        let led = false;
        const work = async (signal: AbortSignal): Promise<void> => {
          led = true;
          await clock.sleep(minutes(1), signal).catch(() => undefined);
        };
        const leading = election.lead(work, stop.signal);
        await pass(seconds(20));
        stop.abort(new Error('told to stop'));
        await pass(seconds(5));
        await leading;
        assert.ok(led, `${name} led`);
      }
    },
  },
  {
    name: 'an agent renews its certificate, and the request is cleared away',
    fleet: { settings: { certificateSeconds: 1200 } },
    play: async fleet => {
      await createMac(fleet.api, 'mac-0');
      await must(fleet, 'its Node is there', () => fleet.view.node('mac-0') !== undefined);
      await fleet.pass(minutes(15));
      fleet.processes.end(agentOf(hostNamed(fleet, 'mac-0')));
      await fleet.pass(minutes(65));
    },
  },
];
