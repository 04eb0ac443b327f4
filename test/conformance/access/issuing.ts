// Certificates that the cluster itself issues, once somebody has approved them.

import { X509Certificate } from 'node:crypto';
import type { Case } from '../frame/case.ts';
import type { Trial } from '../frame/trial.ts';
import { SOMEONE } from './request-pem.ts';

const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const approved = { status: { conditions: [{ type: 'Approved', status: 'True', reason: 'Test', message: 'because' }] } };

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

/** Approves a request for `O=some, CN=someone`, and waits until the signer has dealt with it. */
async function dealtWith(t: Trial, signerName: string, usages: readonly string[]): Promise<void> {
  const name = t.own('request');
  const path = `${REQUESTS}/${name}`;
  t.after(() => t.quietly({ method: 'DELETE', path }));
  const spec = { request: Buffer.from(SOMEONE).toString('base64'), signerName, usages };
  await t.quietly({ method: 'POST', path: REQUESTS, body: { metadata: { name }, spec } });
  const headers = { 'content-type': 'application/merge-patch+json' };
  await t.quietly({ method: 'PATCH', path: `${path}/approval`, headers, body: approved });
  const isDone = (status: { certificate?: string; conditions?: readonly Condition[] }): boolean =>
    status.certificate !== undefined || (status.conditions ?? []).some(({ type }) => type === 'Failed');
  const deadline = Date.now() + 20_000;
  for (;;) {
    const { json } = await t.quietly({ method: 'GET', path });
    if (isDone(json.status) || Date.now() > deadline) {
      told(t, json.status);
      return;
    }
    await new Promise(resolve => setTimeout(resolve, 100));
  }
}

function told(t: Trial, status: { certificate?: string; conditions: readonly Condition[] }): void {
  const { certificate } = status;
  t.note(
    'conditions',
    status.conditions.map(({ type, status: is, reason, message }) => [type, is, reason, message]),
  );
  if (certificate === undefined) {
    t.note('certificate', null);
    return;
  }
  const { subject, subjectAltName, keyUsage, ca } = new X509Certificate(Buffer.from(certificate, 'base64'));
  t.note('certificate', { subject: subject.split('\n').sort(), names: subjectAltName ?? null, keyUsage, ca });
}

export const issuing: readonly Case[] = [
  {
    says: 'an approved request for a certificate of a client is issued',
    steps: t => dealtWith(t, 'kubernetes.io/kube-apiserver-client', ['client auth', 'digital signature']),
  },
  {
    says: 'an approved request for a serving certificate that is no kubelet’s fails',
    steps: t => dealtWith(t, 'kubernetes.io/kubelet-serving', ['server auth', 'digital signature']),
  },
  {
    says: 'an approved request for a certificate of a kubelet that is nobody’s fails',
    steps: t => dealtWith(t, 'kubernetes.io/kube-apiserver-client-kubelet', ['client auth', 'digital signature']),
  },
];
