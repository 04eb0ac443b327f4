// The agent's client certificate: at most a day, asked for by the agent itself, renewed well before it ends (safe-18).

import type { Clock } from '../base/clock.ts';
import { minutes, seconds } from '../base/clock.ts';
import { defineError } from '../base/errors.ts';
import type { CertificateReader, Keys } from '../base/keys.ts';
import type { Random } from '../base/random.ts';
import { nameSuffix } from '../base/random.ts';
import type { Api } from '../kube/api.ts';
import type { Periodic } from '../kube/controller.ts';
import { CertificateSigningRequest } from '../kube/core/other.ts';
import type { AgentWorld } from './world.ts';

const certificateRefused = defineError('PIPPIN_E_AGENT_CERTIFICATE', {
  retry: 'backoff',
  remedy: 'Approve the request, or let the cluster approve node certificates by itself; see docs/contracts/agent.md',
  says: (name: string, why: string) => `The certificate request ${name} was not signed: ${why}`,
});

/** A certificate and its key, PEM. */
export interface NodeCredential {
  readonly certificatePem: string;
  readonly privateKeyPem: string;
}

/** Where the credential is kept (0600), and what takes it into use. */
export interface CredentialStore {
  current(): Promise<NodeCredential | undefined>;
  replace(credential: NodeCredential): Promise<void>;
}

export interface CertificateWorld {
  readonly api: Api;
  readonly clock: Clock;
  readonly random: Random;
  readonly keys: Keys & CertificateReader;
}

const LIFE_SECONDS = 24 * 3600;
/** Renewed with this share of its life left, so that a cluster that is away for hours does no harm. */
const RENEW_AT_SHARE = 0.4;
const SIGNER = 'kubernetes.io/kube-apiserver-client-kubelet';
const ASK_EVERY_MS = seconds(1);
const ASK_TIMES = 60;

/** Asks the cluster for a certificate of this Node and waits until it is signed. */
async function obtainCertificate(nodeName: string, world: CertificateWorld): Promise<NodeCredential> {
  const { api, keys, random, clock } = world;
  const pair = await keys.pair();
  const request = await keys.signingRequest(pair, `system:node:${nodeName}`, ['system:nodes']);
  const name = `node-csr-${nodeName}-${nameSuffix(random)}`;
  await api.create(CertificateSigningRequest, {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name },
    spec: {
      request: Buffer.from(request).toString('base64'),
      signerName: SIGNER,
      usages: ['digital signature', 'client auth'],
      expirationSeconds: LIFE_SECONDS,
    },
  });
  for (let tries = 0; tries < ASK_TIMES; tries++) {
    const { status } = await api.get(CertificateSigningRequest, { name });
    if (status?.certificate !== undefined) {
      const certificatePem = Buffer.from(status.certificate, 'base64').toString('utf8');
      return { certificatePem, privateKeyPem: pair.privateKeyPem };
    }
    const refused = status?.conditions?.find(({ type }) => type === 'Denied' || type === 'Failed');
    if (refused !== undefined) throw certificateRefused(name, refused.message ?? refused.type);
    await clock.sleep(ASK_EVERY_MS);
  }
  throw certificateRefused(name, `nobody signed it within ${(ASK_EVERY_MS * ASK_TIMES) / 1000} s`);
}

/** Whether it is time for a new one. A certificate that cannot be read is. */
function isDue(credential: NodeCredential, keys: CertificateReader, nowMs: number): boolean {
  const read = keys.readCertificate(credential.certificatePem);
  if (read === undefined) return true;
  return read.notAfter - nowMs <= RENEW_AT_SHARE * (read.notAfter - read.notBefore);
}

/** Looks every five minutes; a renewal that fails is tried again at the next look. */
export function certificateRenewal(store: CredentialStore, keys: Keys & CertificateReader): Periodic<AgentWorld> {
  return {
    name: 'agent-certificate',
    everyMs: minutes(5),
    firstAfterMs: 0,
    pass: async ({ api, clock, random, self, log }) => {
      const current = await store.current();
      // Without a certificate of our own the agent came in by another way, and stays with it.
      if (current === undefined || !isDue(current, keys, clock.now())) return;
      await store.replace(await obtainCertificate(self.nodeName, { api, clock, random, keys }));
      log.info('renewed the certificate of this Node', { node: self.nodeName });
    },
  };
}
