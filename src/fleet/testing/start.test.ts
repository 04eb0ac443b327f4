import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type StartOptions, startApi, type TestClient } from './index.ts';

const scratch = mkdtempSync(join(tmpdir(), 'testing-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

const widgets = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'Widget', plural: 'widgets' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
};
const namespace = (name: string) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
const create = (client: TestClient, name: string) =>
  client.request({ method: 'POST', path: '/api/v1/namespaces', body: namespace(name) });
const statusOf = async (client: TestClient, path: string) => (await client.request({ path })).status;

test('two APIs in one process know nothing of each other', async () => {
  await using one = await startApi();
  await using other = await startApi();

  const created = await create(one, 'only-here');

  assert.equal(created.status, 201);
  assert.equal(await statusOf(one, '/api/v1/namespaces/only-here'), 200);
  assert.equal(await statusOf(other, '/api/v1/namespaces/only-here'), 404);
});

test('an identity has the rights that RBAC gives it, and no others', async () => {
  await using api = await startApi();
  const jane = api.as({ user: 'jane', groups: ['viewers'] });
  const path = '/api/v1/namespaces/default/pods';
  const before = await jane.request({ path });
  const subjects = [{ kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'viewers' }];
  const binding = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name: 'viewers' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
    subjects,
  };
  const bound = await api.request({
    method: 'POST',
    path: '/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings',
    body: binding,
  });

  assert.deepEqual([before.status, bound.status], [403, 201]);
  assert.match(
    before.json<{ message: string }>().message,
    /^pods is forbidden: User "jane" cannot list resource "pods"/,
  );
});

test('a token that a request brings decides who asks, also where nothing is served on a port', async () => {
  await using api = await startApi({ clock: 'virtual' });
  const jane = api.as({ user: 'jane' });
  const path = '/api/v1/namespaces';
  const asking = (authorization: string) => ({ path, headers: { Authorization: authorization } });

  const nonsense = await api.request(asking('Bearer nonsense'));
  const admin = await jane.request(asking(`Bearer ${api.token}`));
  const fetched = await api.fetch(path, { headers: { authorization: `Bearer ${jane.token}` } });

  assert.deepEqual([nonsense.status, admin.status, fetched.status], [401, 200, 403]);
});

test('a token expires on the virtual clock', async () => {
  await using api = await startApi({ clock: 'virtual' });
  const accounts = '/api/v1/namespaces/default/serviceaccounts';
  await api.request({ method: 'POST', path: accounts, body: { metadata: { name: 'robot' } } });
  const asked = { spec: { expirationSeconds: 600 } };
  const made = await api.request({ method: 'POST', path: `${accounts}/robot/token`, body: asked });
  const { token } = made.json<{ status: { token: string } }>().status;
  const version = async () =>
    (await api.request({ path: '/version', headers: { authorization: `Bearer ${token}` } })).status;

  const before = await version();
  await api.advance(700_000);

  assert.deepEqual([before, await version()], [200, 401]);
});

test('a request that was given up rejects with the reason', async () => {
  await using api = await startApi();
  const signal = AbortSignal.abort(new Error('enough'));

  await assert.rejects(api.request({ path: '/api', signal }), /enough/);
  await assert.rejects(api.fetch('/api', { signal }), /enough/);
});

test('a clock that is moved twice at once moves by both, and not after the end', async () => {
  const api = await startApi({ clock: 'virtual' });
  const start = api.now();

  await Promise.all([api.advance(1000), api.advance(500)]);

  assert.equal(api.now() - start, 1500);
  await api.close();
  await assert.rejects(api.advance(1), { code: 'PIPPIN_E_TESTING_CLOSED' });
});

test('definitions are served when the start resolves: from objects, files and folders', async () => {
  const folder = join(scratch, 'crds');
  mkdirSync(folder);
  const gadgets = structuredClone(widgets);
  gadgets.metadata.name = 'gadgets.example.com';
  gadgets.spec.names = { kind: 'Gadget', plural: 'gadgets' };
  writeFileSync(
    join(folder, 'all.yaml'),
    `---\n${JSON.stringify(gadgets)}\n---\n${JSON.stringify(namespace('other'))}\n`,
  );
  writeFileSync(join(folder, 'README.md'), 'not for us');

  await using api = await startApi({ crds: [widgets, folder] });

  assert.equal(await statusOf(api, '/apis/example.com/v1/widgets'), 200);
  assert.equal(await statusOf(api, '/apis/example.com/v1/gadgets'), 200);
  assert.equal(await statusOf(api, '/api/v1/namespaces/other'), 404);
});

test('a watch gives events one by one, and ends with the API', async () => {
  const api = await startApi();
  const watch = await api.watch<{ metadata: { name: string } }>('/api/v1/namespaces?resourceVersion=0');
  const seen: string[] = [];
  await create(api, 'late');

  for await (const { type, object } of watch) {
    seen.push(`${type} ${object.metadata.name}`);
    if (object.metadata.name === 'late') break;
  }
  const unread = await api.watch('/api/v1/namespaces');
  const pending = unread.next();
  await api.close();

  assert.equal(seen.at(-1), 'ADDED late');
  assert.equal(await watch.next(), undefined);
  assert.ok(['ADDED', undefined].includes((await pending)?.type));
});

test('clients that take a fetch need no port', async () => {
  await using api = await startApi();

  const answer = await api.fetch('https://any.host/api/v1/namespaces', {
    method: 'POST',
    body: JSON.stringify(namespace('fetched')),
    headers: { 'Content-Type': 'application/json' },
  });
  const stream = await api.fetch('/api/v1/namespaces?watch=1&fieldSelector=metadata.name%3Dfetched&resourceVersion=0');
  const reader = stream.body?.getReader();
  const first = await reader?.read();
  await reader?.cancel();

  assert.equal(answer.status, 201);
  assert.equal(stream.status, 200);
  assert.match(new TextDecoder().decode(first?.value), /"type":"ADDED".*"fetched"/);
});

test('a fetch of another method is answered as over a port', async () => {
  await using api = await startApi();
  const path = '/api/v1/namespaces/default';

  const answers = [await api.fetch(path, { method: 'HEAD' }), await api.fetch(path, { method: 'OPTIONS' })];
  const page = await api.fetch('/healthz', { method: 'HEAD' });

  assert.deepEqual([...answers.map(({ status }) => status), page.status], [405, 405, 200]);
  assert.equal(await answers[0]?.text(), '');
});

test('a fetch that is given up ends its watch', async () => {
  await using api = await startApi();
  const giveUp = new AbortController();
  const { body } = await api.fetch('/api/v1/pods?watch=1', { signal: giveUp.signal });
  const reading = body?.getReader().read();

  giveUp.abort(new Error('seen enough'));

  await assert.rejects(reading ?? Promise.resolve(), { message: 'seen enough' });
});

test('without controllers nothing acts on what is stored; a virtual clock lets them act when it is told to', async () => {
  await using bare = await startApi();
  await using whole = await startApi({ controllers: 'all', clock: 'virtual', startAt: '2030-05-01T00:00:00Z' });
  for (const api of [bare, whole]) {
    await create(api, 'doomed');
    await api.request({ method: 'DELETE', path: '/api/v1/namespaces/doomed' });
  }

  const began = whole.now();
  await whole.advance(60_000);

  assert.equal(new Date(began).toISOString(), '2030-05-01T00:00:00.000Z');
  assert.equal(whole.now(), began + 60_000);
  assert.equal(await statusOf(bare, '/api/v1/namespaces/doomed'), 200);
  assert.equal(await statusOf(whole, '/api/v1/namespaces/doomed'), 404);
});

test('only the controllers that were asked for run', async () => {
  await using api = await startApi({ controllers: ['namespace-defaults'], clock: 'virtual' });
  await create(api, 'doomed');
  await api.request({ method: 'DELETE', path: '/api/v1/namespaces/doomed' });

  await api.advance(60_000);

  assert.equal(await statusOf(api, '/api/v1/namespaces/doomed'), 200);
  assert.equal(await statusOf(api, '/api/v1/namespaces/default/serviceaccounts/default'), 200);
});

test('a data folder outlives the API, and so do its tokens', async () => {
  const dataDir = join(scratch, 'kept');
  const first = await startApi({ dataDir });
  await create(first, 'kept');
  const { token } = first;
  await first.close();

  await using second = await startApi({ dataDir });

  assert.equal(await statusOf(second, '/api/v1/namespaces/kept'), 200);
  assert.equal(second.token, token);
});

test('a kubeconfig file is for its owner alone, and goes with the API', async () => {
  const api = await startApi({ port: 0 });
  const file = await api.as({ user: 'jane' }).kubeconfigFile();
  const mode = statSync(file).mode & 0o777;
  await api.close();
  await api.close();

  assert.equal(mode, 0o600);
  assert.equal(existsSync(file), false);
  await assert.rejects(api.request({ path: '/version' }), { code: 'PIPPIN_E_TESTING_CLOSED' });
});

const refused = (options: unknown) => startApi(options as StartOptions);

test('bad options are refused by their name, with what would be right', async () => {
  const cases: readonly (readonly [unknown, string | RegExp])[] = [
    [{ prot: 0 }, /^startApi has no option "prot"; it has port, dataDir, /],
    [{ port: '80' }, 'startApi: the option port is a whole number from 0 to 65535, not "80"'],
    [{ dataDir: 7 }, 'startApi: the option dataDir is the path of a folder, not 7'],
    [{ crds: [null] }, 'startApi: the option crds[0] is an object or a path, not null'],
    [
      { controllers: ['garbage'] },
      /^startApi: the option controllers\[0\] is one of .*garbage-collector.*, not "garbage"$/,
    ],
    [{ clock: 'fake' }, `startApi: the option clock is 'system' or 'virtual', not "fake"`],
    [{ clock: 'virtual', startAt: 'noon' }, /^startApi: the option startAt is a time like 2026-.*, not "noon"$/],
    [{ startAt: '2026-01-01T00:00:00Z' }, /^startApi: the option startAt is for a virtual clock only/],
  ];
  for (const [options, message] of cases) await assert.rejects(refused(options), { name: 'PippinError', message });
});

test('a definition that cannot be used is named with its place', async () => {
  const broken = join(scratch, 'broken.yaml');
  writeFileSync(broken, 'kind: [');
  const invalid = structuredClone(widgets);
  invalid.spec.names.plural = 'gizmos';

  const absent = join(scratch, 'absent.yaml');
  await assert.rejects(startApi({ crds: [absent] }), { message: new RegExp(`from ${absent}: ENOENT`) });
  await assert.rejects(startApi({ crds: [broken] }), { message: new RegExp(`from ${broken}: `) });
  await assert.rejects(startApi({ crds: [namespace('x')] }), { message: /from crds\[0\]: its kind is Namespace$/ });
  await assert.rejects(startApi({ crds: [invalid] }), {
    code: 'PIPPIN_E_TESTING_CRD_REFUSED',
    message: /^The definition widgets\.example\.com from crds\[0\] is refused: .*metadata\.name/,
  });
});

test('what needs a port, another clock or a name says so', async () => {
  await using api = await startApi();

  assert.throws(() => api.url, { message: 'api.url needs a port, and this API is in this process only' });
  await assert.rejects(api.kubeconfig(), { code: 'PIPPIN_E_TESTING_NOT_SERVED' });
  await assert.rejects(api.advance(1), { code: 'PIPPIN_E_TESTING_CLOCK_IS_REAL' });
  assert.throws(() => api.as({ user: '' }), { message: 'api.as: user is a name, not ""' });
  await assert.rejects(api.request({ path: 'api' }), { code: 'PIPPIN_E_TESTING_REQUEST' });
  await assert.rejects(api.request({ path: '/api/v1/pods?watch=1' }), { code: 'PIPPIN_E_TESTING_REQUEST' });
  await assert.rejects(api.as({ user: 'jane' }).watch('/api/v1/pods'), {
    message: /^The watch of \/api\/v1\/pods is refused with 403: pods is forbidden: User "jane"/,
  });
});

test('a port that is taken is named, and nothing is left running', async () => {
  const other = createServer();
  await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve));
  const address = other.address();
  const port = typeof address === 'object' && address !== null ? address.port : assert.fail('no port');

  await assert.rejects(startApi({ port }), { message: `Port ${port} on 127.0.0.1 is taken` });
  await new Promise(resolve => other.close(resolve));
});
