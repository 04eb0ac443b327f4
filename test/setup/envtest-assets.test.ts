import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { newAuthority, newSigningKeys } from '../kube/certificates.ts';
import { freePorts } from '../kube/processes.ts';

const root = resolve(import.meta.dirname, '../..');
const scratch = mkdtempSync(join(tmpdir(), 'envtest-'));
/** A place whose name a shell could misread. */
const assets = join(scratch, "an envtest's folder");
const running = new Set<ChildProcess>();
after(() => {
  for (const child of running) child.kill('SIGKILL');
  rmSync(scratch, { recursive: true, force: true });
});

before(() => {
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts/envtest-assets.ts'), '--out', assets]);
  assert.equal(status, 0, String(stderr));
});

const called = (name: string, ...args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(join(assets, name), args, { encoding: 'utf8', timeout: 120_000 });
  return { status, stdout, stderr };
};

function start(name: string, ...args: readonly string[]): ChildProcess {
  const child = spawn(join(assets, name), args, { stdio: ['ignore', 'ignore', 'inherit'] });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** How long the program took from TERM to its end. */
async function ended(child: ChildProcess): Promise<number> {
  const began = performance.now();
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  const [code] = await exit;
  assert.equal(code, 0);
  return performance.now() - began;
}

interface Credentials {
  readonly ca: string;
  readonly cert?: string;
  readonly key?: string;
  readonly headers?: Record<string, string>;
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

const ask = (url: string, credentials: Credentials): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const outgoing = httpsRequest(url, { ...credentials, agent: false }, incoming => {
      let body = '';
      incoming.on('data', (chunk: Buffer) => {
        body += chunk;
      });
      incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, body }));
    });
    outgoing.on('error', reject);
    outgoing.end();
  });

/** Resolves with the status once the answer has begun; what follows is thrown away. */
const opened = (url: string, credentials: Credentials): Promise<number> =>
  new Promise((resolve, reject) => {
    const outgoing = httpsRequest(url, { ...credentials, agent: false }, incoming => {
      incoming.on('error', () => undefined).resume();
      resolve(incoming.statusCode ?? 0);
    });
    outgoing.on('error', reject);
    outgoing.end();
  });

async function until<T>(what: () => Promise<T>): Promise<T> {
  for (let left = 400; ; left -= 1) {
    try {
      return await what();
    } catch (error) {
      if (left === 0) throw error;
      await sleep(50);
    }
  }
}

test('kube-apiserver serves with the certificates it is given, knows their users, and ends within a second', async () => {
  const certDir = join(scratch, 'certs');
  mkdirSync(certDir);
  const [serving, clients] = await Promise.all([newAuthority(), newAuthority()]);
  const [server, admin, jane, stranger, accounts] = await Promise.all([
    serving.server('kube-apiserver'),
    clients.client('admin', ['system:masters']),
    clients.client('jane', []),
    serving.client('admin', ['system:masters']),
    newSigningKeys(),
  ]);
  const files = {
    ...{ 'apiserver.crt': server.certificate, 'apiserver.key': server.key, 'clients.crt': clients.certificate },
    ...{ 'sa.crt': accounts.publicKey, 'sa.key': accounts.key },
    'tokens.csv': 'let-me-in,reader,7,"readers,system:masters"\n',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(certDir, name), text);
  const [port = 0] = await freePorts(1);
  const child = start(
    'kube-apiserver',
    ...['--allow-privileged=true', '--authorization-mode=RBAC', '--bind-address=127.0.0.1', `--cert-dir=${certDir}`],
    ...[`--client-ca-file=${join(certDir, 'clients.crt')}`, '--disable-admission-plugins=ServiceAccount'],
    ...['--etcd-servers=http://127.0.0.1:1', `--secure-port=${port}`, '--service-cluster-ip-range=10.0.0.0/24'],
    ...[`--service-account-issuer=https://127.0.0.1:${port}/`, `--token-auth-file=${join(certDir, 'tokens.csv')}`],
    `--service-account-key-file=${join(certDir, 'sa.crt')}`,
    `--service-account-signing-key-file=${join(certDir, 'sa.key')}`,
  );
  const url = `https://127.0.0.1:${port}`;
  const ca = serving.certificate;
  const secrets = `${url}/api/v1/secrets`;
  const as = ({ certificate, key }: { certificate: string; key: string }) =>
    ask(secrets, { ca, cert: certificate, key });

  const health = await until(() => ask(`${url}/healthz`, { ca }));
  const answers = await Promise.all([
    as(admin),
    as(jane),
    ask(secrets, { ca, headers: { authorization: 'Bearer let-me-in' } }),
    ask(secrets, { ca, headers: { authorization: 'Bearer wrong' } }),
    // The authority of the server signs no clients.
    as(stranger),
    ask(secrets, { ca, cert: stranger.certificate, key: stranger.key, headers: { authorization: 'Bearer let-me-in' } }),
  ]);
  const watch = await opened(`${secrets}?watch=true`, { ca, cert: admin.certificate, key: admin.key });
  const tookMs = await ended(child);

  assert.deepEqual(health, { status: 200, body: 'ok' });
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 403, 200, 401, 401, 200],
  );
  assert.equal(watch, 200);
  assert.ok(tookMs < 2000, `it took ${tookMs} ms to end with a watch open`);
});

test('kube-apiserver makes the certificate that is missing, for its owner alone', async () => {
  const certDir = join(scratch, 'made');
  const [port = 0] = await freePorts(1);
  const child = start('kube-apiserver', `--cert-dir=${certDir}`, `--secure-port=${port}`);
  const certificate = join(certDir, 'apiserver.crt');
  await until(async () => assert.ok(existsSync(certificate)));

  // Without a mode of authorization everybody may do everything, but for those of whom nobody knows who they are: as
  // with the real one.
  const { status } = await until(() =>
    ask(`https://localhost:${port}/api/v1/pods`, { ca: readFileSync(certificate, 'utf8') }),
  );
  await ended(child);

  assert.equal(status, 401);
  assert.equal(statSync(join(certDir, 'apiserver.key')).mode & 0o777, 0o600);
});

test('etcd is healthy, does nothing else, and ends when it is told to', async () => {
  const [port = 0, peer = 0] = await freePorts(2);
  const client = `http://127.0.0.1:${port}`;
  const child = start(
    'etcd',
    ...[`--advertise-client-urls=${client}`, `--data-dir=${scratch}/etcd`, `--listen-client-urls=${client}`],
    ...[`--listen-peer-urls=http://127.0.0.1:${peer}`, '--unsafe-no-fsync=true'],
  );

  const health = await until(() => fetch(`${client}/health`));
  const other = await fetch(`${client}/v3/kv/range`, { method: 'POST' });
  await ended(child);

  assert.deepEqual([health.status, await health.json()], [200, { health: 'true', reason: '' }]);
  assert.equal(other.status, 404);
});

test('--help lists the flags at the start of their lines, and none that envtest must not use', () => {
  const [api, etcd] = [called('kube-apiserver', '--help'), called('etcd', '--help')];

  assert.deepEqual([api.status, etcd.status, api.stderr, etcd.stderr], [0, 0, '', '']);
  assert.match(api.stdout, /^\s*--service-account-signing-key-file\b/m);
  assert.doesNotMatch(api.stdout, /--insecure-port/);
  assert.match(etcd.stdout, /^\s*--unsafe-no-fsync\b/m);
});

test('what cannot be had is an error that names it', () => {
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [['--audit-log-path=/tmp/audit'], /^error: --audit-log-path: what this flag does is not built in /],
    [['--nonsense=1'], /^error: unknown flag: --nonsense /],
    [['--secure-port=none'], /^error: --secure-port: "none" is no port /],
    [['--authorization-mode=Webhook'], /^error: --authorization-mode: "Webhook" is not built in /],
    [
      ['--enable-admission-plugins=ResourceQuota'],
      /^error: --enable-admission-plugins: the plugin "ResourceQuota" is not/,
    ],
    [
      ['--disable-admission-plugins=CertificateSigning'],
      /^error: --disable-admission-plugins: "CertificateSigning" cannot be switched off/,
    ],
    [['--client-ca-file=/absent.crt'], /^error: --client-ca-file: \/absent\.crt cannot be used: ENOENT/],
    [['--tls-cert-file=/absent.crt'], /^error: --tls-cert-file is given without --tls-private-key-file /],
  ];
  for (const [args, message] of cases) {
    const { status, stderr } = called('kube-apiserver', ...args);

    assert.equal(status, 1);
    assert.match(stderr, message);
    assert.match(stderr, /\nremedy: [A-Z].*\n$/);
  }
});

test('a token file that cannot be read gives none of its tokens away', () => {
  const file = join(scratch, 'broken.csv');
  writeFileSync(file, 'ok,jane,1\nsecret-token;jane\n');

  const { status, stderr } = called('kube-apiserver', `--token-auth-file=${file}`);

  assert.equal(status, 1);
  assert.match(stderr, /line 2 is not token,user,uid,"groups"/);
  assert.doesNotMatch(stderr, /secret-token/);
});
