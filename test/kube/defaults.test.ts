import assert from 'node:assert/strict';
import { test } from 'node:test';
import { objectsToStore } from '../../src/apiserver/builtin/objects-double.ts';
import { shownDefaults } from '../../src/apiserver/builtin/shown-defaults-double.ts';
import type { JsonObject } from '../../src/apiserver/parts.ts';
import { send } from './https.ts';
import { type RealKube, startRealKube } from './real.ts';
import { holdRecording } from './recording.ts';

test('what is recorded of what the real server fills in is what it does', async () => {
  await using kube = await startRealKube({ controllers: [] });
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'builder' } };
  await create(kube, '/api/v1/namespaces/default/serviceaccounts', account);
  const answers: Record<string, unknown> = {};
  for (const { path, object } of objectsToStore) {
    const { name } = object.metadata as JsonObject;
    const stored = await create(kube, `${path}?dryRun=All`, object);
    if (object.kind !== 'ServiceAccount') assert.notEqual(stored.kind, 'Status', JSON.stringify(stored));
    answers[`${path}/${name}`] = shownDefaults(stored);
  }

  holdRecording('defaults', answers);
});

async function create(kube: RealKube, path: string, object: JsonObject): Promise<JsonObject> {
  const answer = await send(`${kube.url}${path}`, {
    ca: kube.caPem,
    token: kube.adminToken,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(object),
  });
  return JSON.parse(answer.body.toString());
}
