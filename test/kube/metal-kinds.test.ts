// The Metal3 kinds on a real kube-apiserver: it takes our definitions and policies, and gives the verdicts that the embedded API gives.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { httpTransport } from '../../src/adapters/http/client.ts';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { installDefinitions } from '../../src/fleet/definitions.ts';
import { installManifests, manifestsOf } from '../../src/fleet/manifests.ts';
import type { Api } from '../../src/kube/api.ts';
import { client } from '../../src/kube/client.ts';
import { ValidatingAdmissionPolicy } from '../../src/kube/core/other.ts';
import type { Transport } from '../../src/kube/transport.ts';
import { type Case, casesOf } from '../kinds/metal/objects.ts';
import { tables } from '../kinds/metal/tree.ts';
import { VERDICTS, type VerdictCase } from '../kinds/metal/verdict-cases.ts';
import { answerTo, assertVerdict, collectionOf, merged, read, send, usual } from '../kinds/metal/verdicts.ts';
import { type RealKube, startRealKube } from './real.ts';

let kube: RealKube;
let transport: Transport;
let api: Api;

before(async () => {
  kube = await startRealKube({ controllers: [] });
  transport = httpTransport({ server: kube.url, caPem: kube.caPem, token: () => Promise.resolve(kube.adminToken) });
  api = client(transport, { clock: systemClock });
  await installDefinitions({ api, clock: systemClock }, ['metal', 'stand-ins for metal']);
});

after(() => kube?.stop());

const storedVersion = ({ kind }: Pick<VerdictCase, 'kind'>): string =>
  kind.startsWith('Metal3') ? 'v1beta2' : 'v1alpha1';

const IN_FLIGHT = 8;

/** What is made with the object: its status is another request, and a name cannot be longer than names are. */
const isMade = ({ path, object }: Case): boolean => !path.startsWith('status') && object.metadata.name.length <= 253;

async function isTaken({ kind, version, object }: Case): Promise<boolean> {
  const body = new TextEncoder().encode(JSON.stringify(object));
  const headers = { 'content-type': 'application/json' };
  const path = collectionOf(kind, version);
  return read(await transport({ method: 'POST', path, query: 'dryRun=All', headers, body })).status === 201;
}

test('A real API server takes and refuses, at every bound of every field, what the embedded API does', async () => {
  const left = tables('main').flatMap(({ kind }) => casesOf('main', kind, storedVersion({ kind })).filter(isMade));
  const wrong: string[] = [];

  const one = async (): Promise<void> => {
    for (let each = left.pop(); each !== undefined; each = left.pop()) {
      if ((await isTaken(each)) !== each.fits) wrong.push(`${each.kind} ${each.name}`);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, one));

  assert.deepEqual(wrong, []);
});

/** Policies are read by the API server some moments after they are made. */
async function untilPoliciesHold(): Promise<void> {
  const foreign = { spec: { pool: { namespace: 'kube-system' } } };
  const asked = { transport, version: 'v1alpha1', query: 'dryRun=All' };
  for (;;) {
    const { status } = await send(asked, 'POST', merged(usual('IPClaim'), foreign));
    if (status !== 201) return;
    await systemClock.sleep(100);
  }
}

test('A real API server takes every definition and policy', async () => {
  // The definitions were tried alone before.
  await installManifests(api, ['metalPolicies', 'metalWebhooks']);
  const policies = manifestsOf('metalPolicies').filter(({ kind }) => kind === ValidatingAdmissionPolicy.kind);

  const made = await Promise.all(
    policies.map(({ metadata: { name } }) => api.get(ValidatingAdmissionPolicy, { name })),
  );

  assert.deepEqual(
    made.map(({ metadata }) => metadata.name),
    policies.map(({ metadata }) => metadata.name),
  );
});

test('A real API server gives the verdicts of the embedded API; pools are let through while no endpoint answers', async () => {
  await untilPoliciesHold();
  const wrong: string[] = [];

  for (const each of VERDICTS) {
    const answer = await answerTo(each, { transport, version: storedVersion(each) });
    try {
      assertVerdict(each.byEndpoint ? {} : each, answer);
    } catch (error) {
      wrong.push(`${each.kind} ${each.what}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  assert.deepEqual(wrong, []);
});
