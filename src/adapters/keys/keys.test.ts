// Real keys, certificates and requests, judged by node:crypto, ssh2 and, where they are present, openssl and ssh-keygen.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import ssh2 from 'ssh2';
import { realKeys } from './index.ts';

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const DAY = 86_400_000;
const has = (command: string): boolean => spawnSync(command, ['-V']).error === undefined;

const anAuthority = () => realKeys.authority('pippin-ca', NOW - DAY, NOW + 3650 * DAY);

/** Files with these contents, and what the command said of them. */
function runOn(
  command: string,
  args: (path: (name: string) => string) => string[],
  files: Readonly<Record<string, string>>,
) {
  const folder = mkdtempSync(join(tmpdir(), 'pippin-keys-'));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, { mode: 0o600 });
    const { status, stdout, stderr } = spawnSync(
      command,
      args(name => join(folder, name)),
      { encoding: 'utf8' },
    );
    return { status, said: `${stdout}${stderr}` };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('An authority signs a server certificate for 127.0.0.1, ::1 and localhost', async () => {
  const authority = await anAuthority();
  const { publicKeyPem } = await realKeys.pair();

  const pem = await realKeys.certify(authority, publicKeyPem, {
    commonName: 'kube-apiserver',
    dnsNames: ['localhost', 'kubernetes.default.svc'],
    ipAddresses: ['127.0.0.1', '::1'],
    notBefore: NOW,
    notAfter: NOW + DAY,
    usages: ['server'],
  });

  const certificate = new X509Certificate(pem);
  const root = new X509Certificate(authority.certificatePem);
  assert.equal(root.ca, true);
  assert.equal(certificate.ca, false);
  assert.equal(certificate.checkIssued(root), true);
  assert.equal(certificate.verify(root.publicKey), true);
  assert.equal(certificate.checkHost('localhost'), 'localhost');
  assert.equal(certificate.checkIP('127.0.0.1'), '127.0.0.1');
  assert.equal(certificate.checkIP('::1'), '::1');
  assert.deepEqual(certificate.keyUsage, ['1.3.6.1.5.5.7.3.1']);
  assert.equal(certificate.publicKey.export({ type: 'spki', format: 'pem' }), publicKeyPem);
});

test('A client certificate says who and which groups, whatever characters these have', async () => {
  const { publicKeyPem } = await realKeys.pair();

  const pem = await realKeys.certify(await anAuthority(), publicKeyPem, {
    commonName: 'system:node:mac-0, O=system:masters',
    organizations: ['system:nodes', 'a+b="c"'],
    notBefore: NOW,
    notAfter: NOW + DAY,
    usages: ['client'],
  });

  assert.deepEqual(realKeys.readCertificate(pem), {
    commonName: 'system:node:mac-0, O=system:masters',
    organizations: ['system:nodes', 'a+b="c"'],
    notBefore: NOW,
    notAfter: NOW + DAY,
  });
  assert.deepEqual(new X509Certificate(pem).keyUsage, ['1.3.6.1.5.5.7.3.2']);
  assert.equal(realKeys.readCertificate('nothing'), undefined);
});

test('A request is read as it was made, and its signature proves its key', async () => {
  const pair = await realKeys.pair();

  const request = await realKeys.signingRequest(pair, 'system:node:mac-0', ['system:nodes']);

  assert.deepEqual(realKeys.readRequest(request), {
    commonName: 'system:node:mac-0',
    organizations: ['system:nodes'],
    dnsNames: [],
    ipAddresses: [],
    emailAddresses: [],
    uris: [],
    publicKeyPem: pair.publicKeyPem,
    isSelfSigned: true,
  });
});

test('A request for the key of somebody else is seen through', async () => {
  const [own, victim] = [await realKeys.pair(), await realKeys.pair()];

  const request = await realKeys.signingRequest(
    { privateKeyPem: own.privateKeyPem, publicKeyPem: victim.publicKeyPem },
    'system:node:mac-0',
    ['system:nodes'],
  );

  assert.equal(realKeys.readRequest(request)?.isSelfSigned, false);
});

test('What is no request is read as none', () => {
  const block = (body: string): string =>
    `-----BEGIN CERTIFICATE REQUEST-----\n${body}\n-----END CERTIFICATE REQUEST-----`;

  for (const text of ['', 'x', block(''), block('AAAA'), block('MIIBIjAN'), block('!!')]) {
    assert.equal(realKeys.readRequest(text), undefined);
  }
});

for (const [algorithm, pair] of [
  ['ES256', generateKeyPairSync('ec', { namedCurve: 'P-256' })],
  ['RS256', generateKeyPairSync('rsa', { modulusLength: 2048 })],
] as const) {
  test(`${algorithm} signatures hold for their data and their key only`, async () => {
    const privateKeyPem = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const publicKeyPem = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const data = Buffer.from('header.claims');

    const signature = realKeys.sign(privateKeyPem, data);

    assert.equal(realKeys.algorithm(publicKeyPem), algorithm);
    assert.equal(realKeys.verify(publicKeyPem, data, signature), true);
    assert.equal(realKeys.verify(publicKeyPem, Buffer.from('header.other'), signature), false);
    assert.equal(realKeys.verify((await realKeys.pair()).publicKeyPem, data, signature), false);
    assert.equal(realKeys.fingerprint(publicKeyPem).length, 32);
  });
}

test('An SSH pair is one that ssh2 can use, and that signs for its own public half', async () => {
  const { privateKey, publicKey } = await realKeys.sshPair('pippin fleet');

  const parsed = ssh2.utils.parseKey(privateKey);
  const known = ssh2.utils.parseKey(publicKey);

  assert.ok(!(parsed instanceof Error) && !(known instanceof Error));
  assert.equal(parsed.type, 'ssh-ed25519');
  assert.equal(parsed.comment, 'pippin fleet');
  assert.deepEqual(parsed.getPublicSSH(), known.getPublicSSH());
  const signature = parsed.sign('data');
  assert.ok(Buffer.isBuffer(signature));
  assert.equal(known.verify('data', signature), true);
});

test('openssl verifies the chain', { skip: has('openssl') ? false : 'openssl is not installed' }, async () => {
  const authority = await anAuthority();
  const pair = await realKeys.pair();
  const leaf = await realKeys.certify(authority, pair.publicKeyPem, {
    commonName: 'x',
    ipAddresses: ['::1'],
    notBefore: NOW,
    notAfter: NOW + DAY,
    usages: ['client', 'server'],
  });
  const request = await realKeys.signingRequest(pair, 'system:node:a', ['system:nodes']);
  const at = String(Math.floor(NOW / 1000) + 60);

  const chain = runOn(
    'openssl',
    path => ['verify', '-x509_strict', '-attime', at, '-purpose', 'sslserver', '-CAfile', path('ca'), path('leaf')],
    { ca: authority.certificatePem, leaf },
  );
  const asked = runOn('openssl', path => ['req', '-verify', '-noout', '-subject', '-in', path('csr')], {
    csr: request,
  });

  assert.equal(chain.status, 0, chain.said);
  assert.match(asked.said, /verify OK/);
  assert.match(asked.said, /O ?= ?system:nodes, CN ?= ?system:node:a/);
});

test('ssh-keygen reads the private key', {
  skip: has('ssh-keygen') ? false : 'ssh-keygen is not installed',
}, async () => {
  const { privateKey, publicKey } = await realKeys.sshPair('pippin');

  const derived = runOn('ssh-keygen', path => ['-y', '-f', path('key')], { key: privateKey });

  assert.equal(derived.said.trim(), publicKey);
});
