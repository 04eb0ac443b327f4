import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { send } from './https.ts';
import { startRealKube } from './real.ts';

test('a real control plane takes an object, tells a watcher, and deletes what it owned', async () => {
  await using kube = await startRealKube();
  const kubectl = (...argv: string[]): string =>
    execFileSync(kube.kubectl, [`--kubeconfig=${kube.kubeconfig}`, ...argv], { encoding: 'utf8' });
  const call = { ca: kube.caPem, token: kube.adminToken };
  const list = JSON.parse((await send(`${kube.url}/api/v1/configmaps?limit=1`, call)).body.toString());

  kubectl('create', 'namespace', 'short-lived');
  kubectl('create', 'configmap', 'mine', '-n', 'short-lived');
  kubectl('delete', 'namespace', 'short-lived', '--timeout=60s');

  const since = `watch=1&timeoutSeconds=1&resourceVersion=${list.metadata.resourceVersion}`;
  const watch = await send(`${kube.url}/api/v1/configmaps?${since}&fieldSelector=metadata.name=mine`, call);
  const events = watch.body
    .toString()
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line).type);
  assert.deepEqual(events, ['ADDED', 'DELETED']);
  assert.equal(kubectl('get', 'namespaces', '-o', 'name').includes('short-lived'), false);
});

test('nothing is left of a control plane that was stopped', async () => {
  const kube = await startRealKube({ controllers: [] });

  await kube.stop();

  assert.equal(existsSync(kube.folder), false);
  await assert.rejects(send(`${kube.url}/readyz`, { ca: kube.caPem, token: kube.adminToken }), /ECONNREFUSED/);
});
