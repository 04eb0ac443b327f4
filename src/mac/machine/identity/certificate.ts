// A certificate for `system:node:<name>`: made, approved and fetched by the manager, renewed by the agent (safe-18).

import { kubeTime, seconds } from '../../../base/clock.ts';
import { defineError, messageOf } from '../../../base/errors.ts';
import { nameSuffix } from '../../../base/random.ts';
import { CertificateSigningRequest } from '../../../kube/core/other.ts';
import { isConflict, isNotFound } from '../../../kube/errors.ts';
import type { Condition } from '../../../kube/object.ts';
import type { MacWorld } from '../../world.ts';
import type { AgentCredential } from './kubeconfig.ts';

const NODE_SIGNER = 'kubernetes.io/kube-apiserver-client-kubelet';

/** How long the cluster may take to sign. */
const SIGNED_WITHIN_MS = seconds(30);
const POLL_MS = 250;

const certificateNotSigned = defineError('PIPPIN_E_NODE_IDENTITY', {
  retry: 'backoff',
  remedy:
    'Check that the cluster signs kubernetes.io/kube-apiserver-client-kubelet and that the manager may approve it; ' +
    'clusters that do not sign it need --agent-identity=service-account',
  says: (node: string, why: string) => `No client certificate for Node ${node}: ${why}`,
});

/**
 * The private key exists here and on the host only; it crosses the network once, over SSH.
 * The request is removed at the end: names are drawn anew each time, so a crash leaves one that expires.
 */
export async function nodeCertificate(node: string, world: MacWorld): Promise<AgentCredential> {
  const pair = await world.keys.pair();
  const request = await world.keys.signingRequest(pair, `system:node:${node}`, ['system:nodes']);
  const name = `pippin-${node}-${nameSuffix(world.random)}`;
  const asked = await world.api.create(CertificateSigningRequest, {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name },
    spec: {
      request: Buffer.from(request, 'utf8').toString('base64'),
      signerName: NODE_SIGNER,
      usages: ['digital signature', 'client auth'],
      expirationSeconds: world.settings.certificateSeconds,
    },
  });
  try {
    await approve(asked, world);
    const certificatePem = await signed(node, name, world);
    return { kind: 'certificate', certificatePem, privateKeyPem: pair.privateKeyPem };
  } finally {
    // Nobody else has the key to it: answered or not, it is of no further use.
    await forget(name, world);
  }
}

/** A cluster's own approver may be quicker: then there is nothing to do. */
async function approve(asked: CertificateSigningRequest, { api, clock }: MacWorld): Promise<void> {
  const approved: Condition = {
    type: 'Approved',
    status: 'True',
    reason: 'MacAdopted',
    message: 'This manager has adopted the Mac behind the Node and asks on its behalf',
    lastTransitionTime: kubeTime(clock.now()),
  };
  const { name, resourceVersion } = asked.metadata;
  const body = { metadata: { resourceVersion }, status: { conditions: [approved] } };
  try {
    await api.patch(CertificateSigningRequest, { name }, body, { subresource: 'approval' });
  } catch (error) {
    if (!isConflict(error)) throw error;
    const now = await api.get(CertificateSigningRequest, { name });
    if (!isApproved(now)) throw error;
  }
}

async function signed(node: string, name: string, { api, clock }: MacWorld): Promise<string> {
  const untilMs = clock.monotonic() + SIGNED_WITHIN_MS;
  for (;;) {
    const { status } = await api.get(CertificateSigningRequest, { name });
    if (status?.certificate !== undefined) return Buffer.from(status.certificate, 'base64').toString('utf8');
    const against = status?.conditions?.find(({ type }) => type === 'Denied' || type === 'Failed');
    if (against !== undefined) throw certificateNotSigned(node, `${against.type}: ${against.message ?? ''}`);
    if (clock.monotonic() >= untilMs) throw certificateNotSigned(node, 'nobody signed the request within 30 s');
    await clock.sleep(POLL_MS);
  }
}

/** One that stays is cleared away by the cluster; it is no reason to lose a certificate that came. */
async function forget(name: string, { api, log }: MacWorld): Promise<void> {
  try {
    await api.delete(CertificateSigningRequest, { name });
  } catch (error) {
    if (!isNotFound(error)) log.warn('A certificate request stays behind', { name, error: messageOf(error) });
  }
}

const isApproved = ({ status }: CertificateSigningRequest): boolean =>
  status?.conditions?.some(({ type, status: is }) => type === 'Approved' && is === 'True') ?? false;
