import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Identity } from '../kube/transport.ts';
import { anApi, metaOf } from './api-double.ts';
import type { JsonObject } from './parts.ts';

const NOBODY: Identity = { name: 'nobody', groups: [] };

test('who may not is told so in the words of Kubernetes', async () => {
  const api = await anApi();

  const list = await api.get('/api/v1/namespaces/default/pods', { identity: NOBODY });
  const one = await api.get('/apis/apps/v1/namespaces/default/deployments/d', { identity: NOBODY });
  const path = await api.get('/metrics', { identity: NOBODY });

  assert.equal(list.status, 403);
  assert.equal(
    list.body.message,
    'pods is forbidden: User "nobody" cannot list resource "pods" in API group "" in the namespace "default"',
  );
  assert.equal(
    one.body.message,
    'deployments.apps "d" is forbidden: User "nobody" cannot get resource "deployments" in API group "apps" in the namespace "default"',
  );
  assert.equal(path.body.message, 'forbidden: User "nobody" cannot get path "/metrics"');
});

test('the authorizer is asked for the verb, the object and the selectors', async () => {
  const asked: string[] = [];
  const api = await anApi({
    authorizer: ({ verb, resource, subresource, namespace, name, fieldSelector }) => {
      asked.push([verb, resource, subresource, namespace, name, fieldSelector].join('|'));
      return { allowed: true };
    },
  });

  await api.get('/api/v1/pods', { query: 'watch=true&fieldSelector=spec.nodeName%3Dmac-0' });
  await api.get('/api/v1/namespaces/n/pods/p/log');
  await api.delete('/api/v1/namespaces/n/pods');
  await api.get('/api/v1/namespaces/n');

  assert.deepEqual(asked, [
    'watch|pods||||spec.nodeName=mac-0',
    'get|pods|log|n|p|',
    'deletecollection|pods||n||',
    'get|namespaces||n|n|',
  ]);
});

test('admission sees the object and may change or refuse it', async () => {
  const api = await anApi({
    admission: [
      ({ object }) => ({
        object: object === undefined ? undefined : { ...object, data: { seen: 'yes' } },
        warnings: ['looked at'],
      }),
    ],
  });
  const path = '/api/v1/namespaces/default/configmaps';

  const answer = await api.create(path, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } });

  assert.deepEqual(answer.body.data, { seen: 'yes' });
  assert.equal(answer.headers.warning, '299 - "looked at"');
});

test('a cluster begins with its four namespaces, and kube-system has a UID (safe-1)', async () => {
  const api = await anApi();

  const list = await api.get('/api/v1/namespaces');

  const names = (list.body.items as JsonObject[]).map(item => metaOf(item).name);
  assert.deepEqual(names, ['default', 'kube-node-lease', 'kube-public', 'kube-system']);
  assert.match(String(metaOf((await api.get('/api/v1/namespaces/kube-system')).body).uid), /^[0-9a-f-]{36}$/);
});

test('health, version and the list of paths answer', async () => {
  const api = await anApi();

  assert.deepEqual([(await api.get('/readyz')).text, (await api.get('/livez/ping')).text], ['ok', 'ok']);
  assert.equal((await api.get('/version')).body.gitVersion, 'v1.36.0');
  assert.ok(((await api.get('/')).body.paths as string[]).includes('/apis/apps/v1'));
  assert.equal((await api.get('/nope')).text, '404 page not found\n');
});

test('methods that a resource does not have are refused', async () => {
  const api = await anApi();

  const put = await api.update('/api/v1/namespaces/default/pods', {});
  const post = await api.create('/api/v1/namespaces/default/pods/p', {});
  const unscoped = await api.create('/api/v1/pods', {});

  assert.deepEqual([put.status, post.status, unscoped.status], [405, 405, 405]);
  assert.equal(put.body.message, 'the server does not allow this method on the requested resource');
});

test('what cannot be decoded is a bad request and breaks nothing', async () => {
  const api = await anApi();
  const bodies = ['{', '[]', '"x"', '{"kind":5}', '\u0000', '{"apiVersion":"v1","kind":"ConfigMap","metadata":7}'];

  const statuses = [];
  for (const text of bodies) {
    const answer = await api.create('/api/v1/namespaces/default/configmaps', new TextEncoder().encode(text));
    statuses.push(answer.status);
  }
  const path = await api.get('/api/v1/namespaces/%E0%A4%A/pods');

  assert.ok(
    statuses.every(status => status >= 400 && status < 500),
    statuses.join(),
  );
  assert.equal(path.status, 400);
});

test('two servers given the same time and chance answer the same bytes', async () => {
  const run = async (): Promise<string> => {
    const api = await anApi();
    const made = await api.create('/api/v1/namespaces/default/pods', {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { generateName: 'p-' },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    });
    return made.text + (await api.get('/api/v1/namespaces')).text;
  };

  assert.equal(await run(), await run());
});
