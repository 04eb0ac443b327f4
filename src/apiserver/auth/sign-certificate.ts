// Signs certificate requests: which signer signs what, and for how long (safe-18).

import { type Clock, minutes } from '../../base/clock.ts';
import { defineError } from '../../base/errors.ts';
import type { CertificateAuthority, Keys, RequestedCertificate, RequestReader } from '../../base/keys.ts';
import { NODE_USER_PREFIX, NODES_GROUP } from './node-name.ts';

/** Certificates begin this much earlier, for clocks that are behind. */
const BACKDATE_MS = minutes(5);
const SHORTEST_MS = minutes(10);

const requestUnreadable = defineError('PIPPIN_E_CERTIFICATE_REQUEST_UNREADABLE', {
  retry: 'never',
  remedy: 'Send a PEM CERTIFICATE REQUEST that is signed with its own private key',
  says: () => 'The certificate request cannot be read, or its signature does not fit its key',
});

export interface SigningWorld {
  readonly keys: Keys & RequestReader;
  readonly authority: CertificateAuthority;
  /** A longer life than the authority's own is cut off there. */
  readonly authorityNotAfter: number;
  readonly clock: Clock;
}

const NODE_CLIENT_SIGNER = 'kubernetes.io/kube-apiserver-client-kubelet';
const NODE_SERVER_SIGNER = 'kubernetes.io/kubelet-serving';
const CLIENT_SIGNER = 'kubernetes.io/kube-apiserver-client';

/** The request, read and checked; throws when it is none or was signed with another key. */
function readSigned(requests: RequestReader, requestPem: string): RequestedCertificate {
  const request = requests.readRequest(requestPem);
  if (request === undefined || !request.isSelfSigned) throw requestUnreadable();
  return request;
}

/**
 * A PEM certificate that says what the request asks for, valid from five minutes ago for `lifetimeMs` (at least ten
 * minutes). Who may have it was decided before.
 */
export async function signCertificate(
  world: SigningWorld,
  requestPem: string,
  lifetimeMs: number,
  usage: 'client' | 'server' = 'client',
): Promise<string> {
  const request = readSigned(world.keys, requestPem);
  const now = world.clock.now();
  return world.keys.certify(world.authority, request.publicKeyPem, {
    commonName: request.commonName,
    organizations: request.organizations,
    ...(usage === 'server' ? { dnsNames: request.dnsNames, ipAddresses: request.ipAddresses } : {}),
    notBefore: now - BACKDATE_MS,
    notAfter: Math.min(now + Math.max(lifetimeMs, SHORTEST_MS), world.authorityNotAfter),
    usages: [usage],
  });
}

/** What a controller that approves and signs for nodes asks of this authority. */
export interface NodeSigner {
  /** Rejects when the text is no request, or one that was signed with another key. */
  inspect(requestPem: string): Promise<{
    readonly commonName: string;
    readonly organizations: readonly string[];
    readonly hasAlternativeNames: boolean;
  }>;
  sign(requestPem: string, ttlMs: number): Promise<string>;
}

export function nodeSigner(world: SigningWorld): NodeSigner {
  return {
    async inspect(requestPem) {
      const request = readSigned(world.keys, requestPem);
      const { commonName, organizations } = request;
      return { commonName, organizations, hasAlternativeNames: againstNames(request) !== undefined };
    },
    sign: (requestPem, ttlMs) => signCertificate(world, requestPem, ttlMs),
  };
}

/** Why this signer does not sign such a request; undefined when it does. */
export function signerObjection(
  signer: string,
  request: RequestedCertificate,
  usages: readonly string[],
): string | undefined {
  switch (signer) {
    case NODE_CLIENT_SIGNER:
      return againstSubject(request) ?? againstNames(request) ?? againstUsages(usages, 'client auth');
    case NODE_SERVER_SIGNER:
      return againstSubject(request) ?? againstServerNames(request) ?? againstUsages(usages, 'server auth');
    case CLIENT_SIGNER:
      return againstClientUsages(usages);
    default:
      return `unrecognized signerName: ${JSON.stringify(signer)}`;
  }
}

function againstSubject({ organizations, commonName }: RequestedCertificate): string | undefined {
  if (organizations.length !== 1 || organizations[0] !== NODES_GROUP) return 'subject organization is not system:nodes';
  if (commonName.startsWith(NODE_USER_PREFIX)) return undefined;
  return 'subject common name does not begin with system:node:';
}

function againstNames({ dnsNames, emailAddresses, ipAddresses, uris }: RequestedCertificate): string | undefined {
  if (dnsNames.length > 0) return 'DNS subjectAltNames are not allowed';
  if (emailAddresses.length > 0) return 'Email subjectAltNames are not allowed';
  if (ipAddresses.length > 0) return 'IP subjectAltNames are not allowed';
  return uris.length > 0 ? 'URI subjectAltNames are not allowed' : undefined;
}

function againstServerNames({ dnsNames, emailAddresses, ipAddresses, uris }: RequestedCertificate): string | undefined {
  if (dnsNames.length === 0 && ipAddresses.length === 0) return 'DNS or IP subjectAltName is required';
  if (emailAddresses.length > 0) return 'Email subjectAltNames are not allowed';
  return uris.length > 0 ? 'URI subjectAltNames are not allowed' : undefined;
}

/** Keys other than RSA do without key encipherment. */
function againstUsages(usages: readonly string[], purpose: string): string | undefined {
  const asked = [...new Set(usages)].filter(usage => usage !== 'key encipherment').sort();
  const required = [purpose, 'digital signature'].sort();
  if (asked.join() === required.join()) return undefined;
  return `usages did not match [${[...required, 'key encipherment'].sort().join(' ')}]`;
}

function againstClientUsages(usages: readonly string[]): string | undefined {
  const foreign = usages.find(usage => !['digital signature', 'key encipherment', 'client auth'].includes(usage));
  if (foreign !== undefined) return `invalid usage for client certificate: ${foreign}`;
  return usages.includes('client auth') ? undefined : 'missing required usage for client certificate: client auth';
}
