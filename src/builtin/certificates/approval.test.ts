// Which certificate requests can be granted without a person.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CertificateSigningRequest } from '../../kube/core/other.ts';
import { judge, NODE_SIGNER, type RequestedSubject } from './approval.ts';

const csr = (spec: Partial<CertificateSigningRequest['spec']> = {}): CertificateSigningRequest => ({
  apiVersion: 'certificates.k8s.io/v1',
  kind: 'CertificateSigningRequest',
  metadata: { name: 'mac-0' },
  spec: { request: '', signerName: NODE_SIGNER, usages: ['client auth'], username: 'system:bootstrap:abc', ...spec },
});

const subject: RequestedSubject = {
  commonName: 'system:node:mac-0',
  organizations: ['system:nodes'],
  hasAlternativeNames: false,
};

test("a Node's own renewal and a request on behalf of a Node need different rights", () => {
  assert.deepEqual(judge(csr({ username: 'system:node:mac-0' }), subject), {
    kind: 'needsRight',
    right: 'selfnodeclient',
  });
  assert.deepEqual(judge(csr({ username: 'system:node:mac-1' }), subject), { kind: 'needsRight', right: 'nodeclient' });
});

const refused: readonly (readonly [string, CertificateSigningRequest, RequestedSubject])[] = [
  ['another signer', csr({ signerName: 'kubernetes.io/kube-apiserver-client' }), subject],
  ['a name that is no Node', csr(), { ...subject, commonName: 'system:admin' }],
  ['an empty Node name', csr(), { ...subject, commonName: 'system:node:' }],
  ['a further group', csr(), { ...subject, organizations: ['system:nodes', 'system:masters'] }],
  ['no group', csr(), { ...subject, organizations: [] }],
  ['alternative names', csr(), { ...subject, hasAlternativeNames: true }],
  ['a server certificate', csr({ usages: ['client auth', 'server auth'] }), subject],
  ['no client usage', csr({ usages: ['digital signature'] }), subject],
];

for (const [what, request, asked] of refused) {
  test(`${what} is left to a person`, () => {
    assert.equal(judge(request, asked).kind, 'notOurs');
  });
}
