// Signs requests for certificates: what they say, for what, and for how long they hold (safe-18).

import { type Clock, minutes } from '../../base/clock.ts';
import { defineError } from '../../base/errors.ts';
import type {
  CertificateAuthority,
  CertificateRequest,
  Keys,
  RequestedCertificate,
  RequestReader,
} from '../../base/keys.ts';

type Usage = CertificateRequest['usages'][number];

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
export async function signCertificate(
  world: SigningWorld,
  requestPem: string,
  lifetimeMs: number,
  usages: readonly Usage[] = ['client'],
): Promise<string> {
  const request = readSigned(world.keys, requestPem);
  const now = world.clock.now();
  return world.keys.certify(world.authority, request.publicKeyPem, {
    commonName: request.commonName,
    organizations: request.organizations,
    dnsNames: request.dnsNames,
    ipAddresses: request.ipAddresses,
    notBefore: now - BACKDATE_MS,
    notAfter: Math.min(now + Math.max(lifetimeMs, SHORTEST_MS), world.authorityNotAfter),
    usages,
  });
}

/** What a controller that approves and signs for nodes asks of this authority. */
export interface NodeSigner {
  /** Rejects when the text is no request, or one that was signed with another key. */
  inspect(requestPem: string): Promise<{
    readonly commonName: string;
    readonly organizations: readonly string[];
    readonly hasAlternativeNames: boolean;
    readonly namesHosts?: boolean;
    readonly namesOthers?: boolean;
  }>;
  sign(requestPem: string, ttlMs: number, usages?: readonly Usage[]): Promise<string>;
}

export function nodeSigner(world: SigningWorld): NodeSigner {
  return {
    async inspect(requestPem) {
      const request = readSigned(world.keys, requestPem);
      const { commonName, organizations } = request;
      return { commonName, organizations, ...alternativesIn(request) };
    },
    sign: (requestPem, ttlMs, usages) => signCertificate(world, requestPem, ttlMs, usages),
  };
}

interface Alternatives {
  readonly hasAlternativeNames: boolean;
  readonly namesHosts?: boolean;
  readonly namesOthers?: boolean;
}

function alternativesIn({ dnsNames, emailAddresses, ipAddresses, uris }: RequestedCertificate): Alternatives {
  const namesHosts = dnsNames.length > 0 || ipAddresses.length > 0;
  const namesOthers = emailAddresses.length > 0 || uris.length > 0;
  if (!namesHosts && !namesOthers) return { hasAlternativeNames: false };
  return { hasAlternativeNames: true, namesHosts, namesOthers };
}
