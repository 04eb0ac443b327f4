// PEM blocks and a digest: all that simulated keys are made of.

import { createHash } from 'node:crypto';

export function pem(label: string, bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}

/** The bytes of the first block with this label. */
export function unpem(label: string, text: string): Buffer | undefined {
  const [, rest] = text.split(`-----BEGIN ${label}-----`);
  const [body, end] = rest?.split(`-----END ${label}-----`) ?? [];
  return body === undefined || end === undefined ? undefined : Buffer.from(body, 'base64');
}

/** 32 bytes that only this purpose and these data give. */
export const digestOf = (purpose: string, data: Uint8Array): Buffer =>
  createHash('sha256').update(`${purpose}\0`).update(data).digest();
