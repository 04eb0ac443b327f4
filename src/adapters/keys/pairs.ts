// New key pairs: ECDSA P-256 for TLS and tokens, Ed25519 in OpenSSH's own format for SSH.

import { generateKeyPair, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import type { KeyPair, SshKeyPair } from '../../base/keys.ts';

const generate = promisify(generateKeyPair);

export async function pair(): Promise<KeyPair> {
  const { privateKey, publicKey } = await generate('ec', { namedCurve: 'P-256' });
  return {
    privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKeyPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  };
}

const SSH_TYPE = 'ssh-ed25519';

export async function sshPair(comment: string): Promise<SshKeyPair> {
  const { privateKey } = await generate('ed25519');
  const { d = '', x = '' } = privateKey.export({ format: 'jwk' });
  const publicBytes = Buffer.from(x, 'base64url');
  const secret = Buffer.concat([Buffer.from(d, 'base64url'), publicBytes]);
  const publicBlob = Buffer.concat([sshString(SSH_TYPE), sshString(publicBytes)]);
  return {
    privateKey: openSshPrivateKey(publicBlob, Buffer.concat([publicBlob, sshString(secret), sshString(comment)])),
    publicKey: `${SSH_TYPE} ${publicBlob.toString('base64')} ${comment}`,
  };
}

/** OpenSSH's `openssh-key-v1` without a passphrase: https://github.com/openssh/openssh-portable/blob/master/PROTOCOL.key */
function openSshPrivateKey(publicBlob: Buffer, privateBlob: Buffer): string {
  const check = randomBytes(4);
  const unpadded = Buffer.concat([check, check, privateBlob]);
  const padding = Buffer.from(Array.from({ length: (8 - (unpadded.length % 8)) % 8 }, (_, index) => index + 1));
  const body = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    sshString('none'),
    sshString('none'),
    sshString(''),
    uint32(1),
    sshString(publicBlob),
    sshString(Buffer.concat([unpadded, padding])),
  ]);
  const lines = body.toString('base64').match(/.{1,70}/g) ?? [];
  return `-----BEGIN OPENSSH PRIVATE KEY-----\n${lines.join('\n')}\n-----END OPENSSH PRIVATE KEY-----\n`;
}

function sshString(value: string | Buffer): Buffer {
  const bytes = typeof value === 'string' ? Buffer.from(value) : value;
  return Buffer.concat([uint32(bytes.length), bytes]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
