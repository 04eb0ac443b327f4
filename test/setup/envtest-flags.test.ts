// What the stand-in for kube-apiserver makes of the flags that suites of Go programs set, and which it refuses.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { httpTransport } from '../../src/adapters/http/client.ts';
import { ABSENT_FLAGS } from '../../src/cli/envtest/absent-flags.ts';
import { argumentsOf } from '../../src/cli/envtest/arguments.ts';
import { KUBE_APISERVER_FLAGS, setupOf } from '../../src/cli/envtest/kube-apiserver-flags.ts';
import { serveForEnvtest } from '../../src/fleet/envtest/serve.ts';
import type { ApiRequest, Transport } from '../../src/kube/transport.ts';
import { freePorts } from '../kube/processes.ts';

const scratch = mkdtempSync(join(tmpdir(), 'envtest-flags-'));
const tokens = join(scratch, 'tokens.csv');
writeFileSync(tokens, 'secret,admin,1,"system:masters"\n', { mode: 0o600 });

/** Starts it as its command would. */
async function served(...argv: readonly string[]): Promise<{ transport: Transport; close: () => Promise<void> }> {
  const [port = 0] = await freePorts(1);
  const certDir = join(scratch, String(port));
  const own = [`--secure-port=${port}`, `--cert-dir=${certDir}`, `--token-auth-file=${tokens}`];
  const given = argumentsOf([...own, ...argv], KUBE_APISERVER_FLAGS, ABSENT_FLAGS);
  assert.ok(given !== 'help');
  const close = await serveForEnvtest(setupOf(given));
  const caPem = readFileSync(join(certDir, 'apiserver.crt'), 'utf8');
  return { transport: httpTransport({ server: `https://127.0.0.1:${port}`, caPem }), close };
}

interface Made {
  readonly message: string;
  readonly spec: {
    readonly clusterIP: string;
    readonly cidrs: readonly string[];
    readonly ports: readonly { readonly nodePort: number }[];
    readonly tolerations: readonly { readonly tolerationSeconds: number }[];
  };
}

interface Answer {
  readonly status: number;
  readonly object: Made;
}

async function asked(
  { transport }: { transport: Transport },
  method: ApiRequest['method'],
  path: string,
  body?: object,
): Promise<Answer> {
  const answer = await transport({
    method,
    path,
    query: '',
    headers: { 'content-type': 'application/json', authorization: 'Bearer secret' },
    ...(body === undefined ? {} : { body: Buffer.from(JSON.stringify(body)) }),
  });
  return { status: answer.status, object: JSON.parse(Buffer.from(answer.body).toString()) };
}

const services = '/api/v1/namespaces/default/services';
const service = (name: string, spec: object): object => ({
  metadata: { name },
  spec: { ports: [{ port: 80 }], ...spec },
});

let narrow: Awaited<ReturnType<typeof served>>;
before(async () => {
  narrow = await served(
    '--service-cluster-ip-range=10.9.0.0/28',
    '--service-node-port-range=31000-31001',
    '--default-not-ready-toleration-seconds=7',
    '--default-unreachable-toleration-seconds=8',
    '--min-request-timeout=1',
    '--disable-admission-plugins=ServiceAccount,NamespaceLifecycle,ValidatingAdmissionWebhook',
    '--feature-gates=WatchList=true,AllAlpha=false',
    '--runtime-config=api/all=true,apps/v1=true',
    '--authorization-mode=RBAC',
    '--anonymous-auth=false',
  );
});
after(async () => {
  await narrow.close();
  rmSync(scratch, { recursive: true, force: true });
});

test('Services get addresses of --service-cluster-ip-range, and the API the first one', async () => {
  const own = await asked(narrow, 'GET', `${services}/kubernetes`);
  const range = await asked(narrow, 'GET', '/apis/networking.k8s.io/v1/servicecidrs/kubernetes');
  const given = await asked(narrow, 'POST', services, service('a', {}));
  const outside = await asked(narrow, 'POST', services, service('b', { clusterIP: '10.0.0.7' }));

  assert.equal(own.object.spec.clusterIP, '10.9.0.1');
  assert.deepEqual(range.object.spec.cidrs, ['10.9.0.0/28']);
  assert.match(given.object.spec.clusterIP, /^10\.9\.0\.([2-9]|1[0-4])$/);
  assert.match(outside.object.message, /failed to allocate IP 10\.0\.0\.7: the provided network does not match/);
});

test('Services get ports of --service-node-port-range until there are none left', async () => {
  const outside = await asked(
    narrow,
    'POST',
    services,
    service('n', { type: 'NodePort', ports: [{ port: 80, nodePort: 30_000 }] }),
  );
  const made = [];
  for (const name of ['n1', 'n2', 'n3'])
    made.push(await asked(narrow, 'POST', services, service(name, { type: 'NodePort' })));

  assert.match(outside.object.message, /The range of valid ports is 31000-31001$/);
  const ports = made.slice(0, 2).map(({ object }) => object.spec.ports[0]?.nodePort);
  assert.deepEqual(ports.sort(), [31_000, 31_001]);
  assert.match(made[2]?.object.message ?? '', /failed to allocate a nodePort: range is full/);
});

test('Pods are patient for as long as the flags say', async () => {
  const body = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } };

  const { object } = await asked(narrow, 'POST', '/api/v1/namespaces/default/pods', body);

  assert.deepEqual(
    object.spec.tolerations.map(each => each.tolerationSeconds),
    [7, 8],
  );
});

test('a watch ends within twice the time of --min-request-timeout', { timeout: 20_000 }, async () => {
  const headers = { authorization: 'Bearer secret' };
  const { stream } = await narrow.transport({ method: 'GET', path: '/api/v1/secrets', query: 'watch=true', headers });

  assert.equal(await stream?.next(), undefined);
});

test('without NamespaceLifecycle objects need no Namespace, and every Namespace can be deleted', async () => {
  const { status } = await asked(narrow, 'POST', '/api/v1/namespaces/absent/configmaps', { metadata: { name: 'c' } });
  const deleted = await asked(narrow, 'DELETE', '/api/v1/namespaces/kube-public');

  assert.deepEqual([status, deleted.status], [201, 200]);
});

test('a webhook of a kind that is switched off is not asked', async () => {
  const clientConfig = { url: 'https://127.0.0.1:1/' };
  const rules = [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }];
  const webhook = { clientConfig, rules, admissionReviewVersions: ['v1'], sideEffects: 'None', name: 'w.example.com' };
  const path = '/apis/admissionregistration.k8s.io/v1';
  const write = (name: string) =>
    asked(narrow, 'POST', '/api/v1/namespaces/default/configmaps', { metadata: { name } });

  await asked(narrow, 'POST', `${path}/validatingwebhookconfigurations`, {
    metadata: { name: 'w' },
    webhooks: [webhook],
  });
  const unasked = await write('unasked');
  await asked(narrow, 'POST', `${path}/mutatingwebhookconfigurations`, {
    metadata: { name: 'w' },
    webhooks: [webhook],
  });
  const refused = await write('refused');
  await asked(narrow, 'DELETE', `${path}/mutatingwebhookconfigurations/w`);

  assert.deepEqual([unasked.status, refused.status], [201, 500]);
});

test('without credentials one is nobody where --anonymous-auth is off, and where everybody may do everything', async () => {
  const open = await served('--disable-admission-plugins=ServiceAccount');
  const anonymous = { method: 'GET', path: '/healthz', query: '', headers: {} } as const;

  const [refused, refusedToo] = [await narrow.transport(anonymous), await open.transport(anonymous)];
  const known = await asked(open, 'GET', '/api/v1/pods');
  await open.close();

  assert.deepEqual([refused.status, refusedToo.status, known.status], [401, 401, 200]);
});

test('an empty --disable-admission-plugins switches ServiceAccount on again', async () => {
  const whole = await served('--disable-admission-plugins=');
  const body = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } };

  const { object } = await asked(whole, 'POST', '/api/v1/namespaces/default/pods', body);
  await whole.close();

  assert.match(object.message, /error looking up service account default\/default/);
});

test('what would change what a test sees is refused by its name, with a remedy', async () => {
  const refusals: readonly (readonly [argument: string, message: RegExp])[] = [
    ['--audit-log-path=-', /^--audit-log-path: what this flag does is not built in$/],
    ['--oidc-issuer-url=https://x', /^--oidc-issuer-url: what this flag does/],
    ['--encryption-provider-config=x', /^--encryption-provider-config: what/],
    ['--requestheader-client-ca-file=x', /^--requestheader-client-ca-file: what/],
    ['--nonsense=1', /^unknown flag: --nonsense$/],
    ['--feature-gates=Foo=true', /^--feature-gates: unrecognized feature gate: Foo$/],
    ['--feature-gates=WatchList', /^--feature-gates: missing bool value for WatchList$/],
    [
      '--feature-gates=WatchList=maybe',
      /^--feature-gates: invalid value of WatchList=maybe, err: strconv\.ParseBool: parsing "maybe"/,
    ],
    ['--feature-gates=WatchList=false', /^--feature-gates: WatchList cannot be set to false here$/],
    ['--feature-gates=AllBeta=true', /^--feature-gates: AllBeta cannot be set to true here$/],
    ['--runtime-config=foo/v1=true', /^--runtime-config: foo\/v1=true: this version is not built in$/],
    ['--runtime-config=apps/v1=false', /^--runtime-config: apps\/v1=false: it cannot be switched off here$/],
    ['--service-cluster-ip-range=fc00::/112', /^--service-cluster-ip-range: "fc00::\/112" is no IPv4 network$/],
    ['--service-cluster-ip-range=10.0.0.0/16,fc00::/112', /names two networks, and one is built in$/],
    ['--service-cluster-ip-range=10.0.0.0/30', /is too small or too large$/],
    ['--service-node-port-range=5', /^--service-node-port-range: "5" is no range of ports$/],
    ['--service-node-port-range=9-5', /^--service-node-port-range: "9-5" is no range of ports$/],
    ['--anonymous-auth=maybe', /^invalid argument "maybe" for "--anonymous-auth" flag: strconv\.ParseBool/],
    ['--min-request-timeout=x', /^invalid argument "x" for "--min-request-timeout" flag: strconv\.ParseInt/],
    ['--allow-privileged=false', /^--allow-privileged=false is not built in$/],
  ];
  for (const [argument, message] of refusals) await assert.rejects(served(argument), { message });
});

test('ranges are read as the real server reads them', async () => {
  const open = await served('--service-node-port-range=31000+0', '--service-cluster-ip-range=10.8.7.6/16');

  const { object } = await asked(open, 'POST', services, service('a', { type: 'NodePort' }));
  const own = await asked(open, 'GET', `${services}/kubernetes`);
  await open.close();

  assert.equal(object.spec.ports[0]?.nodePort, 31_000);
  assert.equal(own.object.spec.clusterIP, '10.8.0.1');
});
