// The manager's role against what the manager does: nothing that it asks is refused, and nothing is granted for no reason.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { seconds } from '../../src/base/clock.ts';
import { manifestsOf } from '../../src/fleet/manifests.ts';
import type { Role } from '../../src/kube/core/other.ts';
import { createDeployment, createHeldPod, createLinuxNode, createPod, scale } from '../world/acts.ts';
import { type VirtualFleet, virtualFleet } from '../world/fleet.ts';
import { MANAGER } from '../world/names.ts';

const fleets: VirtualFleet[] = [];
after(() => Promise.all(fleets.map(fleet => fleet.close())));

/** `verb resource.group/subresource` of each call of the manager. */
function rightsUsed({ line }: VirtualFleet): Set<string> {
  const calls = line.calls.filter(({ process, seam }) => process === MANAGER && seam === 'api');
  return new Set(calls.flatMap(({ label }) => rightOf(label)));
}

const PATH =
  /^(?:\/api\/v1|\/apis\/(?<group>[^/]+)\/[^/]+)(?:\/namespaces\/[^/]+(?=\/))?\/(?<plural>[a-z]+)(?:\/(?<name>[^/?]+)(?:\/(?<sub>[a-z]+))?)?(?:\?(?<query>.*))?$/;

function rightOf(label: string): readonly string[] {
  const [method = '', path = ''] = label.split(' ');
  const { group, plural, name, sub, query = '' } = PATH.exec(path)?.groups ?? {};
  // Discovery is everybody's.
  if (plural === undefined) return [];
  const reads = name === undefined ? (query.includes('watch=true') ? 'watch' : 'list') : 'get';
  const verb = { GET: reads, POST: 'create', PATCH: 'patch', PUT: 'update', DELETE: 'delete' }[method] ?? method;
  return [`${verb} ${plural}${sub === undefined ? '' : `/${sub}`}${group === undefined ? '' : `.${group}`}`];
}

function rightsGranted(): Set<string> {
  const roles = manifestsOf('macProvider').filter(({ kind }) => kind === 'ClusterRole') as readonly Role[];
  const rules = roles.flatMap(role => role.rules ?? []);
  return new Set(
    rules.flatMap(({ verbs, apiGroups = [], resources = [] }) =>
      apiGroups.flatMap(group =>
        resources.flatMap(resource => verbs.map(verb => `${verb} ${resource}${group === '' ? '' : `.${group}`}`)),
      ),
    ),
  );
}

/** Rights that no call shows by itself, and why they are there. */
const NOT_CALLS = [
  // Checked by the API when a binding is made, or a request approved.
  'approve signers.certificates.k8s.io',
  'bind clusterroles.rbac.authorization.k8s.io',
  // An event that repeats is counted up.
  'patch events',
  // Asked only where these kinds are served (safe-5).
  'list rackhosts.infrastructure.cluster.x-k8s.io',
  'list rackapplesiliconmachines.infrastructure.cluster.x-k8s.io',
  'list scalewayelasticmetalmachines.infrastructure.cluster.x-k8s.io',
  'list ovhdedicatedmachines.infrastructure.cluster.x-k8s.io',
  'list dediboxmachines.infrastructure.cluster.x-k8s.io',
  'list vultrmachines.infrastructure.cluster.x-k8s.io',
];

/** Machines come and go, one with Pods; Pods of before Pippin are swept. */
async function aLife(identity: 'certificate' | 'service account'): Promise<VirtualFleet> {
  const fleet = await virtualFleet({ macs: 2, settings: { identity } });
  fleets.push(fleet);
  const { api, view } = fleet;
  await createLinuxNode(api, 'linux-0');
  await createHeldPod(api, 'wedged', { nodeName: 'gone-before' });
  await createDeployment(api, 'fleet', 1);
  await createPod(api, 'job');
  const up = await fleet.run(() => view.pod('job')?.status?.phase === 'Running');
  assert.ok(up, `the Pod runs with a ${identity}`);

  await scale(api, 'fleet', 0);
  const empty = await fleet.run(() => view.pods().length === 0 && view.machines().length === 0);
  assert.ok(empty, 'all Pods and machines are gone');
  await fleet.pass(seconds(10));
  return fleet;
}

test('what the manager asks is granted, and what is granted is asked', async () => {
  const lives = [await aLife('certificate'), await aLife('service account')];

  const used = new Set(lives.flatMap(fleet => [...rightsUsed(fleet)]));
  const granted = rightsGranted();

  assert.deepEqual(
    lives.flatMap(({ refused }) => refused),
    [],
  );
  assert.deepEqual([...granted].filter(right => !used.has(right)).sort(), [...NOT_CALLS].sort());
});
