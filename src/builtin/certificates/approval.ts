// Whether a request for a Node's client certificate may be granted without a person: it must ask for exactly that.

import type { CertificateSigningRequest } from '../../kube/core/other.ts';

export const NODE_SIGNER = 'kubernetes.io/kube-apiserver-client-kubelet';

/** What a PKCS #10 request asks to be called. */
export interface RequestedSubject {
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** Whether it also asks for DNS names, IP addresses, e-mail addresses or URIs. */
  readonly hasAlternativeNames: boolean;
  /** DNS names or IP addresses among them. */
  readonly namesHosts?: boolean;
  /** E-mail addresses or URIs among them. */
  readonly namesOthers?: boolean;
}

/** Who may have one: the Node itself, for its renewal; or whoever may ask for any Node. */
export type Asks = 'selfnodeclient' | 'nodeclient';

export type Judgement =
  | { readonly kind: 'notOurs'; readonly why: string }
  /** Granted if the requester may create this subresource of certificatesigningrequests. */
  | { readonly kind: 'needsRight'; readonly right: Asks };

const PREFIX = 'system:node:';
const REQUIRED = 'client auth';
const ALLOWED = new Set([REQUIRED, 'digital signature', 'key encipherment']);

export function judge(request: CertificateSigningRequest, subject: RequestedSubject): Judgement {
  const { signerName, usages = [], username } = request.spec;
  if (signerName !== NODE_SIGNER) return notOurs(`its signer is ${signerName}`);
  if (!subject.commonName.startsWith(PREFIX) || subject.commonName === PREFIX) {
    return notOurs('its common name is not that of a Node');
  }
  if (subject.organizations.length !== 1 || subject.organizations[0] !== 'system:nodes') {
    return notOurs('its organization is not system:nodes alone');
  }
  if (subject.hasAlternativeNames) return notOurs('it asks for alternative names');
  if (!usages.includes(REQUIRED) || usages.some(usage => !ALLOWED.has(usage))) {
    return notOurs('its usages are not those of a client certificate');
  }
  return { kind: 'needsRight', right: username === subject.commonName ? 'selfnodeclient' : 'nodeclient' };
}

const notOurs = (why: string): Judgement => ({ kind: 'notOurs', why });
