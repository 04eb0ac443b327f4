// Whatever is wrong with an object that is there already, its finalizer can be taken off: no rule of ours holds up a deletion.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { virtualClock } from '../../../sim/time/clock.ts';
import { installDefinitions } from '../../../src/fleet/definitions.ts';
import { installManifests } from '../../../src/fleet/manifests.ts';
import { type MetalApi, metalApi } from './metal-api.ts';
import { VERDICTS, type VerdictCase } from './verdict-cases.ts';
import { type Answer, collectionOf, merged, read, send, usual } from './verdicts.ts';

/** What is refused when it is made. */
const FAULTY = VERDICTS.filter(({ refused, changed }) => refused !== undefined && changed === undefined);

let api: MetalApi;
const stored: { readonly of: VerdictCase; readonly path: string }[] = [];

const storedVersion = (kind: string): string => (kind.startsWith('Metal3') ? 'v1beta2' : 'v1alpha1');

/** Objects from before there were rules; what the schema itself refuses cannot be there. */
before(async () => {
  api = await metalApi({ rules: 'none' });
  for (const [index, of] of FAULTY.entries()) {
    const { kind, made } = of;
    const name = `old-${index}`;
    const object = merged(merged(usual(kind), made), { metadata: { name, finalizers: ['example.com/held'] } });
    const { status } = await send({ transport: api.transport, version: storedVersion(kind) }, 'POST', object);
    if (status === 201) stored.push({ of, path: `${collectionOf(kind, storedVersion(kind))}/${name}` });
  }
  await installDefinitions({ api: api.api, clock: virtualClock() }, ['metal']);
  await installManifests(api.api, ['metalPolicies', 'metalWebhooks']);
});

after(() => api.close());

async function patch(path: string, body: object): Promise<Answer> {
  const headers = { 'content-type': 'application/merge-patch+json' };
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  return read(await api.transport({ method: 'PATCH', path, query: '', headers, body: bytes }));
}

test('A fault that was there before the rules does not hold up a finalizer', async () => {
  const held: string[] = [];

  for (const { of, path } of stored) {
    const { status, body } = await patch(path, { metadata: { finalizers: null } });
    if (status !== 200) held.push(`${of.kind} ${of.what}: ${String(body.message)}`);
  }

  assert.deepEqual(held, []);
  assert.ok(stored.length > 30, `${stored.length} objects were tried`);
});

test('The rules hold once they are installed', async () => {
  const first = stored.find(({ of }) => of.kind === 'IPClaim');
  assert.ok(first !== undefined);

  const asked = { transport: api.transport, version: 'v1alpha1', query: 'dryRun=All' };
  const { status } = await send(asked, 'POST', merged(usual('IPClaim'), first.of.made));

  assert.equal(status, 422);
});

test('An object that is made in v1beta1 is read in both versions, and its storage is v1beta2', async () => {
  const object = merged(usual('Metal3DataTemplate'), {
    metadata: { name: 'both' },
    spec: { metaData: { ipAddressesFromPool: [{ key: 'ip', name: 'pool' }] } },
  });
  const made = await send({ transport: api.transport, version: 'v1beta1' }, 'POST', object);

  const { body } = await patch(`${collectionOf('Metal3DataTemplate', 'v1beta2')}/both`, {
    metadata: { labels: { a: 'b' } },
  });

  const pool = { key: 'ip', name: 'pool', apiGroup: 'ipam.metal3.io', kind: 'IPPool' };
  const strings = [{ key: 'a', value: 'b' }];
  assert.deepEqual(made.body.spec, { clusterName: 'c', metaData: { strings, ipAddressesFromIPPool: [pool] } });
  assert.deepEqual(body.spec, { clusterName: 'c', metaData: { strings, ipAddressesFromPool: [pool] } });
});
