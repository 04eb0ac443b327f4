// The subject of a client's certificate, once TLS has verified it against the API's own authority.

import type { TLSSocket } from 'node:tls';
import type { ClientCertificate } from '../../apiserver/parts.ts';

/** Undefined without a certificate, or with one that nobody here signed. */
export function clientCertificateOf(socket: TLSSocket): ClientCertificate | undefined {
  if (!socket.authorized) return undefined;
  const { subject } = socket.getPeerCertificate();
  if (subject === undefined) return undefined;
  return { commonName: textsOf(subject.CN)[0] ?? '', organizations: textsOf(subject.O) };
}

/** Whether the client showed a certificate that counts for nothing here: signed by another, expired, or not for clients. */
export function isRefusedCertificate(socket: TLSSocket): boolean {
  return !socket.authorized && socket.getPeerCertificate().subject !== undefined;
}

function textsOf(value: string | string[] | undefined): readonly string[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}
