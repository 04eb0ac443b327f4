// Upstream's verdicts, given by the embedded API: by its definitions, policies and the manager's endpoint, in both versions.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { convertMetal } from '../../../src/metal/conversion/convert.ts';
import { type MetalApi, metalApi } from './metal-api.ts';
import { groupOf } from './tree.ts';
import { VERDICTS } from './verdict-cases.ts';
import { answerTo, assertVerdict, merged, send, usual } from './verdicts.ts';

let api: MetalApi;

before(async () => {
  api = await metalApi({ admission: true });
});

after(() => api.close());

const tried = (version: string) => ({ transport: api.transport, version, query: 'dryRun=All' });

const versionsOf = (kind: string): readonly string[] =>
  kind.startsWith('Metal3') ? ['v1beta2', 'v1beta1'] : ['v1alpha1'];

for (const each of VERDICTS) {
  const { kind, what, refused, changed } = each;
  const verb = refused === undefined ? 'takes' : 'refuses';
  for (const version of versionsOf(kind)) {
    test(`${kind} ${version} ${verb} ${what}${changed === undefined ? '' : ' as a change'}`, async () => {
      const answer = await answerTo(each, { transport: api.transport, version });

      assertVerdict(each, answer);
    });
  }
}

test('Metal3Cluster v1beta1 refuses two words on the cloud provider that contradict each other', async () => {
  const object = convertMetal(usual('Metal3Cluster'), `${groupOf('Metal3Cluster')}/v1beta1`);
  const contradicting = merged(object, { spec: { noCloudProvider: true, cloudProviderEnabled: true } });

  const { status, body } = await send(tried('v1beta1'), 'POST', contradicting);

  assert.equal(status, 422);
  assert.match(String(body.message), /spec\.cloudProviderEnabled: .* contradicts noCloudProvider/);
});

test('A port of the control plane that is left out is 6443', async () => {
  const object = merged(usual('Metal3Cluster'), { spec: { controlPlaneEndpoint: { port: null } } });

  const { body } = await send(tried('v1beta2'), 'POST', object);

  assert.deepEqual(body.spec, { controlPlaneEndpoint: { host: 'api.example.com', port: 6443 } });
});

test('A template that names a cluster is taken with a warning', async () => {
  const object = merged(usual('Metal3DataTemplate'), { spec: { clusterName: 'c' } });

  const { status, warning } = await send(tried('v1beta2'), 'POST', object);

  assert.equal(status, 201);
  assert.match(warning ?? '', /spec\.clusterName is deprecated and has no effect/);
});

test('A pool may not shrink away from addresses that it gave out', async () => {
  const pools = { transport: api.transport, version: 'v1alpha1' } as const;
  const held = await send(pools, 'POST', usual('IPPool'));
  const spec = { address: '10.0.0.15', pool: { name: 'a' }, claim: { name: 'c1' } };
  await send(pools, 'POST', merged(usual('IPAddress'), { spec }));

  const smaller = merged(held.body, { spec: { pools: [{ start: '10.0.0.10', end: '10.0.0.12' }] } });
  const answer = await send(tried('v1alpha1'), 'PUT', smaller);

  assert.equal(answer.status, 422);
  assert.match(String(answer.body.message), /spec\.pools: "10\.0\.0\.15" is in use but out of bounds/);
});
