// The subject of a client's certificate, once TLS has verified it against the API's own authority.

import type { TLSSocket } from 'node:tls';
import type { ClientCertificate } from '../../apiserver/parts.ts';

interface Shown {
  readonly certificate: ClientCertificate | undefined;
  readonly isRefused: boolean;
}

/** What each connection showed when it began: reading a certificate costs more than many a request. */
const shown = new WeakMap<TLSSocket, Shown>();

/** Undefined without a certificate, or with one that nobody here signed. */
export const clientCertificateOf = (socket: TLSSocket): ClientCertificate | undefined => shownBy(socket).certificate;

/** Whether the client showed a certificate that counts for nothing here: signed by another, expired, or not for clients. */
export const isRefusedCertificate = (socket: TLSSocket): boolean => shownBy(socket).isRefused;

function shownBy(socket: TLSSocket): Shown {
  const known = shown.get(socket);
  if (known !== undefined) return known;
  const read = readFrom(socket);
  shown.set(socket, read);
  return read;
}

function readFrom(socket: TLSSocket): Shown {
  const { subject } = socket.getPeerCertificate();
  if (subject === undefined) return { certificate: undefined, isRefused: false };
  if (!socket.authorized) return { certificate: undefined, isRefused: true };
  const certificate = { commonName: textsOf(subject.CN)[0] ?? '', organizations: textsOf(subject.O) };
  return { certificate, isRefused: false };
}

function textsOf(value: string | string[] | undefined): readonly string[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}
