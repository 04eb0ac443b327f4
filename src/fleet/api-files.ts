// What the embedded API keeps in its data folder besides its store: keys, certificates, tokens, the kubeconfig (safe-19).

import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { syncFolderOf } from '../adapters/sqlite/folder-sync.ts';
import { type Clock, minutes } from '../base/clock.ts';
import { defineError } from '../base/errors.ts';
import type { CertificateAuthority, Cryptography, KeyPair } from '../base/keys.ts';
import type { Random } from '../base/random.ts';
import { folderTrouble, inFolder } from './folder-trouble.ts';

const YEAR_MS = 365 * 24 * minutes(60);
const AUTHORITY_YEARS = 10;

/** Everything that a restart must find again: without it clients would lose their trust and their tokens. */
export interface ApiSecrets {
  readonly authority: CertificateAuthority;
  readonly authorityNotAfter: number;
  readonly server: { readonly certificatePem: string; readonly privateKeyPem: string };
  readonly tokenKey: KeyPair;
  readonly adminToken: string;
}

export interface SecretsSetup {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly keys: Cryptography;
  /** `objects`: there are some already, which trust the keys that were made with them. */
  readonly holds?: 'nothing' | 'objects';
}

const keyFileUnusable = defineError('PIPPIN_E_KEY_FILE_UNUSABLE', {
  retry: 'never',
  remedy:
    'Put the file back as it was, or restore a backup: without it no kubeconfig, certificate or token is believed',
  says: (file: string, why: string) => `The key file ${file} ${why}`,
});

/** Makes the folder readable for its owner alone, whatever the umask. */
export function privateFolder(path: string): void {
  inFolder(path, () => {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    if ((statSync(path).mode & 0o777) !== 0o700) chmodSync(path, 0o700);
  });
}

/** Writes a file that nobody else can read, whole or not at all, also when the power fails. */
export function privateFile(path: string, text: string): void {
  const draft = `${path}.new`;
  inFolder(dirname(path), () => {
    writeFileSync(draft, text, { mode: 0o600, flush: true });
    chmodSync(draft, 0o600);
    renameSync(draft, path);
    syncFolderOf(path);
  });
}

/** The secrets of the folder, made when they are missing; the server's certificate is made anew each time. */
export async function apiSecrets(setup: SecretsSetup): Promise<ApiSecrets> {
  const folder = join(setup.dataDir, 'pki');
  try {
    privateFolder(folder);
    return await secretsIn(folder, setup);
  } catch (error) {
    throw folderTrouble(folder, error);
  }
}

async function secretsIn(folder: string, setup: SecretsSetup): Promise<ApiSecrets> {
  const now = setup.clock.now();
  const authority = await keptAuthority(setup, folder, now);
  const notAfter = setup.keys.readCertificate(authority.certificatePem)?.notAfter ?? now + YEAR_MS;
  return {
    authority,
    authorityNotAfter: notAfter,
    server: await serverCertificate(setup, authority, now),
    tokenKey: await keptPair(setup, folder),
    adminToken: keptToken(setup, folder),
  };
}

async function keptAuthority(setup: SecretsSetup, folder: string, now: number): Promise<CertificateAuthority> {
  const [certificate, key] = [join(folder, 'ca.crt'), join(folder, 'ca.key')];
  if (areKept(setup, [certificate, key])) {
    const [certificatePem, privateKeyPem] = [readFileSync(certificate, 'utf8'), readFileSync(key, 'utf8')];
    const publicKey = sound(certificate, () => new X509Certificate(certificatePem).publicKey);
    requirePair(key, privateKeyPem, publicKey.export({ type: 'spki', format: 'pem' }));
    return { certificatePem, privateKeyPem };
  }
  const authority = await newAuthority(setup.keys, now);
  privateFile(key, authority.privateKeyPem);
  privateFile(certificate, authority.certificatePem);
  return authority;
}

export function newAuthority(keys: Cryptography, nowMs: number): Promise<CertificateAuthority> {
  return keys.authority('pippin-ca', nowMs - minutes(5), nowMs + AUTHORITY_YEARS * YEAR_MS);
}

async function keptPair(setup: SecretsSetup, folder: string): Promise<KeyPair> {
  const [publicFile, privateKeyFile] = [join(folder, 'sa.pub'), join(folder, 'sa.key')];
  if (areKept(setup, [publicFile, privateKeyFile])) {
    const [publicKeyPem, privateKeyPem] = [readFileSync(publicFile, 'utf8'), readFileSync(privateKeyFile, 'utf8')];
    const publicKey = sound(publicFile, () => createPublicKey(publicKeyPem));
    requirePair(privateKeyFile, privateKeyPem, publicKey.export({ type: 'spki', format: 'pem' }));
    return { publicKeyPem, privateKeyPem };
  }
  const pair = await setup.keys.pair();
  privateFile(privateKeyFile, pair.privateKeyPem);
  privateFile(publicFile, pair.publicKeyPem);
  return pair;
}

/** Whether they are there. Where they must be, one that is not is named: made anew it would lock everybody out. */
function areKept({ holds }: SecretsSetup, files: readonly string[]): boolean {
  const missing = files.find(file => !existsSync(file));
  if (missing !== undefined && holds === 'objects') throw keyFileUnusable(missing, 'is gone');
  return missing === undefined;
}

function sound<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch {
    throw keyFileUnusable(file, 'cannot be read: it is damaged');
  }
}

function requirePair(file: string, privateKeyPem: string, publicKeyPem: string | Buffer): void {
  const own = sound(file, () => createPublicKey(createPrivateKey(privateKeyPem)));
  if (own.export({ type: 'spki', format: 'pem' }) === publicKeyPem) return;
  throw keyFileUnusable(file, 'does not belong to the certificate or public key beside it');
}

function keptToken(setup: SecretsSetup, folder: string): string {
  const file = join(folder, 'admin.token');
  if (areKept(setup, [file])) {
    const kept = readFileSync(file, 'utf8').trim();
    if (kept === '') throw keyFileUnusable(file, 'is empty');
    // What is left of a torn file would be a password that somebody guesses.
    if (!TOKEN.test(kept)) throw keyFileUnusable(file, 'holds no token as it was written: it is damaged');
    return kept;
  }
  const token = newToken(setup.random);
  privateFile(file, `${token}\n`);
  return token;
}

const TOKEN_BYTES = 32;

/** A bearer token that nobody can guess. */
export const newToken = (random: Random): string => Buffer.from(random.bytes(TOKEN_BYTES)).toString('base64url');

const TOKEN = new RegExp(`^[\\w-]{${Math.ceil((TOKEN_BYTES * 4) / 3)}}$`);

/** For the addresses by which programs of this machine reach the API. */
export async function serverCertificate(
  { keys }: Pick<SecretsSetup, 'keys'>,
  authority: CertificateAuthority,
  now: number,
): Promise<ApiSecrets['server']> {
  const pair = await keys.pair();
  const certificatePem = await keys.certify(authority, pair.publicKeyPem, {
    commonName: 'kube-apiserver',
    dnsNames: ['localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc'],
    ipAddresses: ['127.0.0.1', '::1'],
    notBefore: now - minutes(5),
    notAfter: now + YEAR_MS,
    usages: ['server'],
  });
  return { certificatePem, privateKeyPem: pair.privateKeyPem };
}

/** A kubeconfig for the bearer of `token`; the authority's certificate is inside, so that the file stands alone. */
export function kubeconfigText(server: string, authorityPem: string, token: string): string {
  return kubeconfigOf(server, authorityPem, { name: 'admin', fields: { token } });
}

/** A kubeconfig for whoever these fields of `user` prove one to be. */
export function kubeconfigOf(
  server: string,
  authorityPem: string,
  user: { readonly name: string; readonly fields: Readonly<Record<string, string>> },
): string {
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'pippin', cluster: { server, 'certificate-authority-data': base64(authorityPem) } }],
    users: [{ name: user.name, user: user.fields }],
    contexts: [{ name: 'pippin', context: { cluster: 'pippin', user: user.name } }],
    'current-context': 'pippin',
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}

export const base64 = (text: string): string => Buffer.from(text).toString('base64');
