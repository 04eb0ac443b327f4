// The API server as a client of kubelets: a certificate of its own authority, made anew at each start.

import { type KubeletConnections, kubeletConnections } from '../adapters/http/kubelets.ts';
import { type Clock, minutes } from '../base/clock.ts';
import type { CertificateAuthority, Keys } from '../base/keys.ts';

export interface KubeletClientSetup {
  readonly keys: Keys;
  readonly clock: Clock;
  readonly authority: CertificateAuthority;
  readonly authorityNotAfter: number;
  readonly httpProxy?: string;
}

export async function kubeletClient(setup: KubeletClientSetup): Promise<KubeletConnections> {
  const { keys, clock, authority, authorityNotAfter } = setup;
  const pair = await keys.pair();
  const certificatePem = await keys.certify(authority, pair.publicKeyPem, {
    commonName: 'kube-apiserver-kubelet-client',
    organizations: ['system:masters'],
    notBefore: clock.now() - minutes(5),
    notAfter: authorityNotAfter,
    usages: ['client'],
  });
  const { privateKeyPem } = pair;
  const proxy = setup.httpProxy === undefined ? {} : { httpProxy: setup.httpProxy };
  return kubeletConnections({ certificatePem, privateKeyPem, authorityPem: authority.certificatePem, ...proxy });
}
