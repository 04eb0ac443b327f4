// Signs requests for client certificates: what they say, and for how long they hold (safe-18).

import { type Clock, minutes } from '../../base/clock.ts';
import { defineError } from '../../base/errors.ts';
import type { CertificateAuthority, Keys, RequestedCertificate, RequestReader } from '../../base/keys.ts';

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
export async function signCertificate(world: SigningWorld, requestPem: string, lifetimeMs: number): Promise<string> {
  const request = readSigned(world.keys, requestPem);
  const now = world.clock.now();
  return world.keys.certify(world.authority, request.publicKeyPem, {
    commonName: request.commonName,
    organizations: request.organizations,
    notBefore: now - BACKDATE_MS,
    notAfter: Math.min(now + Math.max(lifetimeMs, SHORTEST_MS), world.authorityNotAfter),
    usages: ['client'],
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
      return { commonName, organizations, hasAlternativeNames: hasAlternativeNames(request) };
    },
    sign: (requestPem, ttlMs) => signCertificate(world, requestPem, ttlMs),
  };
}

const hasAlternativeNames = ({ dnsNames, emailAddresses, ipAddresses, uris }: RequestedCertificate): boolean =>
  [dnsNames, emailAddresses, ipAddresses, uris].some(names => names.length > 0);
