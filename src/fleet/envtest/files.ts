// The files that kube-apiserver is pointed at: certificates, keys and tokens, read once, each named when it cannot be used.

import { createPublicKey } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { realKeys } from '../../adapters/keys/index.ts';
import { systemClock } from '../../adapters/system/clock.ts';
import type { StaticToken } from '../../apiserver/auth/index.ts';
import { defineError, messageOf } from '../../base/errors.ts';
import type { KeyPair } from '../../base/keys.ts';
import { newAuthority, privateFile, privateFolder, serverCertificate } from '../api-files.ts';

export interface EnvtestFiles {
  readonly certDir: string | undefined;
  readonly certificate: string | undefined;
  readonly key: string | undefined;
  readonly clientAuthority: string | undefined;
  readonly tokens: string | undefined;
  readonly accountKey: string | undefined;
  readonly accountSigningKey: string | undefined;
}

const fileUnusable = defineError('PIPPIN_E_ENVTEST_FILE', {
  retry: 'never',
  remedy: 'Give the flag the path of a file that this user may read, in PEM; for tokens in CSV',
  says: (flag: string, path: string, why: string) => `--${flag}: ${path} cannot be used: ${why}`,
});

const flagMissing = defineError('PIPPIN_E_ENVTEST_FLAG_MISSING', {
  retry: 'never',
  remedy: 'Give both flags of the pair, or neither',
  says: (flag: string, other: string) => `--${flag} is given without --${other}`,
});

/** `read` of the file's text, its trouble told with the flag and the path. */
function fromFile<T>(flag: string, path: string, read: (text: string) => T): T {
  try {
    return read(readFileSync(path, 'utf8'));
  } catch (error) {
    throw fileUnusable.causedBy(error, flag, path, messageOf(error));
  }
}

export interface ServingFiles {
  readonly certificatePem: string;
  readonly privateKeyPem: string;
}

/** As kube-apiserver: the files that are named, else those of the folder, which are made when they are missing. */
export async function servingFiles(files: EnvtestFiles): Promise<ServingFiles> {
  const { certDir, certificate, key } = files;
  if (certificate !== undefined || key !== undefined) {
    if (certificate === undefined) throw flagMissing('tls-private-key-file', 'tls-cert-file');
    if (key === undefined) throw flagMissing('tls-cert-file', 'tls-private-key-file');
    return readServing({ certificate, key }, ['tls-cert-file', 'tls-private-key-file']);
  }
  if (certDir === undefined) return newServing();
  const made = { certificate: join(certDir, 'apiserver.crt'), key: join(certDir, 'apiserver.key') };
  if (existsSync(made.certificate) && existsSync(made.key)) return readServing(made, ['cert-dir', 'cert-dir']);
  const serving = await newServing();
  privateFolder(certDir);
  privateFile(made.certificate, serving.certificatePem);
  privateFile(made.key, serving.privateKeyPem);
  return serving;
}

function readServing(
  paths: { readonly certificate: string; readonly key: string },
  [certificateFlag, keyFlag]: readonly [string, string],
): ServingFiles {
  const certificatePem = fromFile(certificateFlag, paths.certificate, text => text);
  return fromFile(keyFlag, paths.key, privateKeyPem => {
    createSecureContext({ cert: certificatePem, key: privateKeyPem });
    return { certificatePem, privateKeyPem };
  });
}

/** Its authority's certificate comes along, so that a client can be told to trust the file. */
async function newServing(): Promise<ServingFiles> {
  const now = systemClock.now();
  const authority = await newAuthority(realKeys, now);
  const { certificatePem, privateKeyPem } = await serverCertificate({ keys: realKeys }, authority, now);
  return { certificatePem: certificatePem + authority.certificatePem, privateKeyPem };
}

/** Without a file nobody's certificate is believed: the authority is one whose key is forgotten. */
export async function clientAuthority({ clientAuthority: path }: EnvtestFiles): Promise<string> {
  if (path === undefined) return (await newAuthority(realKeys, systemClock.now())).certificatePem;
  return fromFile('client-ca-file', path, text => {
    createSecureContext({ ca: text });
    if (realKeys.readCertificate(text) === undefined) throw new Error('there is no certificate in it');
    return text;
  });
}

/** What signs and checks the tokens of service accounts; made for this start when no file is given. */
export async function accountKeys({ accountKey, accountSigningKey }: EnvtestFiles): Promise<KeyPair> {
  if (accountSigningKey === undefined) {
    if (accountKey !== undefined) throw flagMissing('service-account-key-file', 'service-account-signing-key-file');
    return realKeys.pair();
  }
  const privateKeyPem = fromFile('service-account-signing-key-file', accountSigningKey, text => {
    publicKeyOf(text);
    return text;
  });
  if (accountKey === undefined) return { privateKeyPem, publicKeyPem: publicKeyOf(privateKeyPem) };
  return { privateKeyPem, publicKeyPem: fromFile('service-account-key-file', accountKey, publicKeyOf) };
}

/** Of a public key, a certificate or a private key. */
const publicKeyOf = (pem: string): string => createPublicKey(pem).export({ type: 'spki', format: 'pem' }).toString();

/** `token,user,uid,"group one,group two"`, one a line. */
export function staticTokens({ tokens }: EnvtestFiles): readonly StaticToken[] {
  if (tokens === undefined) return [];
  return fromFile('token-auth-file', tokens, text =>
    text.split('\n').flatMap((line, i): StaticToken[] => {
      if (line.trim() === '') return [];
      const [, token, user, uid, quoted, plain] =
        /^([^,]+),([^,]+),([^,]+)(?:,(?:"([^"]*)"|([^,]*)))?$/.exec(line.trim()) ?? [];
      // Never the line itself: it holds a token (safe-20).
      if (token === undefined || user === undefined || uid === undefined) {
        throw new Error(`line ${i + 1} is not token,user,uid,"groups"`);
      }
      return [{ token, user, uid, groups: (quoted ?? plain ?? '').split(',').filter(group => group !== '') }];
    }),
  );
}
