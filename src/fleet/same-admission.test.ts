// Every face of the embedded API decides alike of new objects: the server, the one for tests, and envtest's.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { httpTransport } from '../adapters/http/client.ts';
import { realKeys } from '../adapters/keys/index.ts';
import { systemClock } from '../adapters/system/clock.ts';
import { systemRandom } from '../adapters/system/random.ts';
import { serveForEnvtest } from './envtest/serve.ts';
import { serveApi } from './serve-api.ts';
import { startApi } from './testing/index.ts';
import { portFor } from './up/ports.ts';

type Post = (path: string, body: object) => Promise<{ readonly status: number; readonly object: Answer }>;

interface Answer {
  readonly message?: string;
  readonly spec?: {
    readonly containers?: readonly { readonly resources: object }[];
    readonly volumes?: readonly { readonly name: string }[];
    readonly storageClassName?: string;
    readonly priority?: number;
    readonly serviceAccountName?: string;
  };
}

const scratch = mkdtempSync(join(tmpdir(), 'pippin-admission-'));
const closing: (() => Promise<void>)[] = [];
const faces = new Map<string, Post>();

before(async () => {
  faces.set('pippin apiserver', await server());
  faces.set('pippin/testing', await forTests());
  faces.set('envtest', await envtest());
  for (const post of faces.values()) await ground(post);
});

after(async () => {
  for (const close of closing) await close();
  rmSync(scratch, { recursive: true });
});

async function server(): Promise<Post> {
  const seams = { clock: systemClock, random: systemRandom, keys: realKeys };
  const served = await serveApi({ dataDir: join(scratch, 'served'), port: 0, ...seams });
  closing.push(() => served.close());
  return async (path, object) => {
    const headers = { 'content-type': 'application/json' };
    const body = Buffer.from(JSON.stringify(object));
    const answer = await served.transport({ method: 'POST', path, query: '', headers, body });
    return { status: answer.status, object: JSON.parse(Buffer.from(answer.body).toString()) };
  };
}

async function forTests(): Promise<Post> {
  const api = await startApi({ controllers: ['namespace-defaults'], clock: 'virtual' });
  closing.push(() => api.close());
  await api.advance(1000);
  return async (path, body) => {
    const { status, json } = await api.request({ method: 'POST', path, body });
    return { status, object: json() };
  };
}

/** As envtest starts it: without ServiceAccount. */
async function envtest(): Promise<Post> {
  const certDir = join(scratch, 'envtest');
  mkdirSync(certDir, { mode: 0o700 });
  const tokens = join(certDir, 'tokens.csv');
  writeFileSync(tokens, 'secret,admin,1,"system:masters"\n', { mode: 0o600 });
  const port = await portFor('envtest', {});
  const close = await serveForEnvtest({
    host: '127.0.0.1',
    port,
    files: {
      certDir,
      certificate: undefined,
      key: undefined,
      clientAuthority: undefined,
      tokens,
      accountKey: undefined,
      accountSigningKey: undefined,
    },
    issuer: undefined,
    audiences: [],
    authorizationModes: [],
    enabledPlugins: ['PodSecurity', 'LimitRanger', 'RuntimeClass', 'Priority'],
    disabledPlugins: ['ServiceAccount'],
  });
  closing.push(close);
  const caPem = await readFile(join(certDir, 'apiserver.crt'), 'utf8');
  const transport = httpTransport({ server: `https://127.0.0.1:${port}`, caPem });
  return async (path, object) => {
    const headers = { 'content-type': 'application/json', authorization: 'Bearer secret' };
    const body = Buffer.from(JSON.stringify(object));
    const answer = await transport({ method: 'POST', path, query: '', headers, body });
    return { status: answer.status, object: JSON.parse(Buffer.from(answer.body).toString()) };
  };
}

const meta = (name: string, more: object = {}): object => ({ metadata: { name, ...more } });
const pods = (namespace: string): string => `/api/v1/namespaces/${namespace}/pods`;
const pod = (name: string, spec: object = {}): object => ({
  ...meta(name),
  spec: { containers: [{ name: 'main', image: 'main' }], ...spec },
});

async function ground(post: Post): Promise<void> {
  const restricted = { labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } };
  const made = [
    await post('/api/v1/namespaces', meta('strict', restricted)),
    await post('/api/v1/namespaces', meta('plain')),
    await post('/api/v1/namespaces/plain/serviceaccounts', meta('default')),
    await post('/api/v1/namespaces/strict/serviceaccounts', meta('default')),
    await post('/api/v1/namespaces/plain/limitranges', {
      ...meta('limits'),
      spec: { limits: [{ type: 'Container', default: { cpu: '2' }, defaultRequest: { cpu: '1' } }] },
    }),
    await post('/apis/storage.k8s.io/v1/storageclasses', {
      ...meta('usual', { annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } }),
      provisioner: 'example.com/none',
    }),
  ];
  // The controller may have been first with an account.
  assert.ok(made.every(({ status }) => status === 201 || status === 409));
}

const REFUSED: readonly (readonly [what: string, namespace: string, spec: object, why: RegExp])[] = [
  ['a Pod below its Namespace’s standard', 'strict', {}, /violates PodSecurity "restricted:latest"/],
  ['a class of priority that is not there', 'plain', { priorityClassName: 'nope' }, /no PriorityClass with name nope/],
  ['a priority of one’s own', 'plain', { priority: 77 }, /the integer value of priority \(77\) must not be provided/],
  ['a runtime class that is not there', 'plain', { runtimeClassName: 'nope' }, /RuntimeClass "nope" not found/],
];

for (const [what, namespace, spec, why] of REFUSED) {
  test(`${what} is refused everywhere, in the same words`, async () => {
    const answers = await Promise.all([...faces.values()].map(post => post(pods(namespace), pod('p', spec))));

    assert.deepEqual(
      answers.map(({ status }) => status),
      [403, 403, 403],
    );
    assert.match(answers[0]?.object.message ?? '', why);
    assert.equal(new Set(answers.map(({ object }) => object.message)).size, 1);
  });
}

test('limits, priority and the default storage class are filled in everywhere', async () => {
  for (const [face, post] of faces) {
    const created = await post(pods('plain'), pod('filled'));
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    const claim = await post('/api/v1/namespaces/plain/persistentvolumeclaims', { ...meta('claim'), spec });

    assert.deepEqual([created.status, claim.status], [201, 201], face);
    const [container] = created.object.spec?.containers ?? [];
    assert.deepEqual(container?.resources, { limits: { cpu: '2' }, requests: { cpu: '1' } }, face);
    assert.equal(created.object.spec?.priority, 0, face);
    assert.equal(claim.object.spec?.storageClassName, 'usual', face);
  }
});

test('a Pod runs as an account that is there, with its token, unless nobody creates accounts', async () => {
  const named = { serviceAccountName: 'nope' };
  const answers = [...faces.values()].map(async post => {
    const { status } = await post(pods('plain'), pod('as-nobody', named));
    const { object } = await post(pods('plain'), pod('with-token'));
    const { serviceAccountName, volumes = [] } = object.spec ?? {};
    return { status, serviceAccountName, hasToken: volumes.some(({ name }) => name.startsWith('kube-api-access-')) };
  });

  const asked = { status: 403, serviceAccountName: 'default', hasToken: true };
  assert.deepEqual(await Promise.all(answers), [
    asked,
    asked,
    { status: 201, serviceAccountName: undefined, hasToken: false },
  ]);
});

test('an API for tests without the controller of accounts takes Pods all the same', async () => {
  await using api = await startApi();

  const { status } = await api.request({ method: 'POST', path: pods('default'), body: pod('p') });

  assert.equal(status, 201);
});
