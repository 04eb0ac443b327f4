import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApi } from './index.ts';

test('on virtual time an Event is there for an hour', async () => {
  await using api = await startApi({ clock: 'virtual' });
  const path = '/api/v1/namespaces/default/events';
  const event = {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'e' },
    involvedObject: { kind: 'Pod', namespace: 'default', name: 'p' },
  };
  const headers = { 'content-type': 'application/json' };
  const created = await api.request({ method: 'POST', path, headers, body: JSON.stringify(event) });

  await api.advance(3_590_000);
  const before = await api.request({ path: `${path}/e` });
  await api.advance(10_000);
  const after = await api.request({ path: `${path}/e` });

  assert.deepEqual([created.status, before.status, after.status], [201, 200, 404]);
});
