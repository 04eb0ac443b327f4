import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { serveScaleway } from '../../../sim/scaleway/server.ts';
import { underTest } from '../../../sim/scaleway/under-test.testing.ts';
import { macCloudContract } from '../../mac/cloud.contract.ts';
import { systemClock } from '../system/clock.ts';
import { badScalewayAccess } from './client.ts';
import { scalewayCloud } from './cloud.ts';

const ACCESS = {
  accessKey: 'SCWXXXXXXXXXXXXXXXXX',
  secretKey: '11111111-2222-4333-8444-555555555555',
  projectId: '22222222-2222-4333-8444-555555555555',
  clock: systemClock,
};

macCloudContract('Scaleway SDK against the simulator', () =>
  underTest(async model => {
    const server = await serveScaleway({ model, secretKey: ACCESS.secretKey });
    const access = { ...ACCESS, projectId: model.state.projectId, apiUrl: server.url, timeoutMs: 300 };
    return { cloud: scalewayCloud(access), close: () => server.close() };
  }),
);

test('a 404 that is not about this server is no absence', async () => {
  const bodies = [
    ['text/html', '<h1>Not Found</h1>'],
    ['application/json', '{"type":"unknown_resource","message":"not found"}'],
    ['application/json', '{"type":"not_found","resource":"server","resource_id":"another"}'],
  ] as const;
  for (const [type, body] of bodies) {
    const server = createServer((_, response) => response.writeHead(404, { 'content-type': type }).end(body));
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const cloud = scalewayCloud({ ...ACCESS, apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });

    const seen = await cloud.server({ zone: 'fr-par-1', id: 'a1b2' });

    assert.equal(seen.kind, 'unknown', body);
    server.close();
    server.closeAllConnections();
  }
});

test('a malformed key is refused by name, and its text is not repeated', () => {
  const secretKey = 'not-a-uuid-but-secret';

  assert.throws(
    () => scalewayCloud({ ...ACCESS, secretKey }),
    error => badScalewayAccess.is(error) && /secret key/.test(error.message) && !error.message.includes(secretKey),
  );
});
