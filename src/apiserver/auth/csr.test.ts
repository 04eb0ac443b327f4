// Certificate requests: what may be asked for, who approves and signs, and what comes out.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededKeys } from '../../../sim/keys/seeded-keys.ts';
import { virtualClock } from '../../../sim/time/clock.ts';
import { seededRandom } from '../../../sim/time/random.ts';
import { minutes } from '../../base/clock.ts';
import type { Authorizer, JsonObject } from '../parts.ts';
import { certificateAdmission } from './csr-admission.ts';
import { preparedUpdate } from './csr-conditions.ts';
import type { AdmissionCall } from './operation.ts';
import { nodeSigner, signCertificate } from './sign-certificate.ts';
import { asking } from './stored.testing.ts';

const keys = seededKeys(seededRandom(1));
const pair = await keys.pair();
const HOUR = minutes(60);
const DAY = 24 * HOUR;

const requestPem = (name = 'system:node:mac-0', groups = ['system:nodes']) => keys.signingRequest(pair, name, groups);
const base64 = (text: string): string => Buffer.from(text).toString('base64');

async function csr(spec: JsonObject = {}, status: JsonObject = {}): Promise<JsonObject> {
  const request = base64(await requestPem());
  const signerName = 'kubernetes.io/kube-apiserver-client-kubelet';
  const usages = ['client auth', 'digital signature'];
  return { metadata: { name: 'csr-1' }, spec: { request, signerName, usages, ...spec }, status };
}

const nobody: Authorizer = () => ({ allowed: false, reason: '' });
/** May `approve`, `sign` or both, on the named signers. */
const mayUse =
  (verbs: string, signer: string): Authorizer =>
  ({ verb, group, resource, name }) =>
    verbs.includes(verb) && `${resource}.${group}` === 'signers.certificates.k8s.io' && name === signer
      ? { allowed: true }
      : { allowed: false, reason: '' };

interface Write {
  readonly object: JsonObject;
  readonly old?: JsonObject;
  readonly subresource?: string;
  readonly authorize?: Authorizer;
}

const resource = {
  version: 'v1',
  kind: '',
  listKind: '',
  plural: '',
  singular: '',
  namespaced: false,
  storageName: '',
};
const lists = { shortNames: [], categories: [], subresources: [], verbs: [], schema: {}, origin: 'builtin' } as const;

function write({ object, old, subresource = '', authorize = nobody }: Write): string {
  const admit = certificateAdmission({ authorize, requests: keys, clock: virtualClock() });
  const what = `certificatesigningrequests.certificates.k8s.io${subresource === '' ? '' : `/${subresource}`}`;
  const call: AdmissionCall = {
    attributes: asking({ name: 'ann' }, old === undefined ? 'create' : 'update', what, { name: 'csr-1' }),
    resource: { ...resource, ...lists, group: '' },
    object,
    old,
    dryRun: false,
  };
  const answer = admit(call);
  return 'refused' in answer ? `${answer.refused.code} ${answer.refused.message}` : 'admitted';
}

const INVALID = '422 CertificateSigningRequest.certificates.k8s.io "csr-1" is invalid: ';

test('A well-made request is taken', async () => {
  assert.equal(write({ object: await csr() }), 'admitted');
});

const badRequests: readonly (readonly [string, JsonObject, RegExp])[] = [
  [
    'with no PEM in it',
    { request: base64('nothing') },
    /spec.request: Invalid value: "bm90aGluZw==": PEM block type must be CERTIFICATE REQUEST$/,
  ],
  ['without usages', { usages: [] }, /spec.usages: Required value$/],
  [
    'with an unknown usage',
    { usages: ['client auth', 'flying'] },
    /spec.usages\[1\]: Unsupported value: "flying": supported values: "any", "cert sign", /,
  ],
  [
    'with a usage twice',
    { usages: ['client auth', 'client auth'] },
    /spec.usages\[1\]: Duplicate value: "client auth"$/,
  ],
  ['without a signer', { signerName: '' }, /spec.signerName: Required value$/],
  [
    'for a signer without a domain',
    { signerName: 'mine' },
    /must be a fully qualified domain and path of the form 'example.com\/signer-name'$/,
  ],
  [
    'for a signer with a short domain',
    { signerName: 'com/mine' },
    /should be a domain with at least two segments separated by dots$/,
  ],
  [
    'for the legacy signer',
    { signerName: 'kubernetes.io/legacy-unknown' },
    /the legacy signerName is not allowed via this API version$/,
  ],
  [
    'for nine minutes',
    { expirationSeconds: 540 },
    /spec.expirationSeconds: Invalid value: 540: may not specify a duration less than 600 seconds \(10 minutes\)$/,
  ],
];

for (const [what, spec, message] of badRequests) {
  test(`A request ${what} is invalid`, async () => {
    const answer = write({ object: await csr(spec) });

    assert.ok(answer.startsWith(INVALID), answer);
    assert.match(answer, message);
  });
}

test('A request that was signed with another key is invalid', async () => {
  const other = await keys.pair();
  const stolen = await keys.signingRequest({ ...pair, publicKeyPem: other.publicKeyPem }, 'a', []);

  assert.match(write({ object: await csr({ request: base64(stolen) }) }), /x509: ECDSA verification failure$/);
});

test('Nobody asks the client signer for system:masters', async () => {
  const request = base64(await requestPem('root', ['system:masters']));

  assert.equal(
    write({ object: await csr({ request, signerName: 'kubernetes.io/kube-apiserver-client' }) }),
    '403 certificatesigningrequests.certificates.k8s.io "csr-1" is forbidden: use of kubernetes.io/kube-apiserver-client signer with system:masters group is not allowed',
  );
});

const approved = {
  conditions: [{ type: 'Approved', status: 'True', lastUpdateTime: 'then', lastTransitionTime: 'then' }],
};
const node = 'kubernetes.io/kube-apiserver-client-kubelet';

test('Approval needs the verb approve on that signer, or on its domain', async () => {
  const [old, object] = [await csr(), await csr({}, approved)];
  const approve = (authorize: Authorizer): string => write({ object, old, subresource: 'approval', authorize });

  assert.equal(
    approve(nobody),
    '403 certificatesigningrequests.certificates.k8s.io "csr-1" is forbidden: user not permitted to approve requests with signerName "kubernetes.io/kube-apiserver-client-kubelet"',
  );
  assert.equal(approve(mayUse('approve', node)), 'admitted');
  assert.equal(approve(mayUse('approve', 'kubernetes.io/*')), 'admitted');
  assert.match(approve(mayUse('sign', node)), /^403/);
  assert.match(approve(mayUse('approve', 'kubernetes.io/kubelet-serving')), /^403/);
});

test('The signer that counts is the stored one, not one that the update brings', async () => {
  const old = await csr();
  const object = await csr({ signerName: 'example.com/mine' }, approved);

  assert.match(
    write({ object, old, subresource: 'approval', authorize: mayUse('approve', 'example.com/mine') }),
    /^403/,
  );
});

test('Signing needs the verb sign, unless neither certificate nor conditions change', async () => {
  const certificate = base64('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
  const old = await csr({}, approved);
  const object = await csr({}, { ...approved, certificate });
  const sign = (authorize: Authorizer): string => write({ object, old, subresource: 'status', authorize });

  assert.match(sign(mayUse('approve', node)), /user not permitted to sign requests with signerName/);
  assert.equal(sign(mayUse('sign', node)), 'admitted');
  assert.equal(write({ object: old, old, subresource: 'status' }), 'admitted');
});

const verdicts: readonly (readonly [string, string, JsonObject, JsonObject, RegExp])[] = [
  ['take an approval back', 'approval', {}, approved, /updates may not remove a condition of type "Approved"/],
  ['approve through status', 'status', approved, {}, /updates may not add a condition of type "Approved"/],
  [
    'approve and deny',
    'approval',
    { conditions: [...approved.conditions, { type: 'Denied', status: 'True' }] },
    approved,
    /Approved and Denied conditions are mutually exclusive/,
  ],
  [
    'deny with status False',
    'approval',
    { conditions: [{ type: 'Denied', status: 'False' }] },
    {},
    /Unsupported value: "False": supported values: "True"/,
  ],
  [
    'replace a certificate',
    'status',
    { ...approved, certificate: 'AAAA' },
    { ...approved, certificate: 'BBBB' },
    /updates may not modify existing certificate content/,
  ],
  [
    'store something that is no certificate',
    'status',
    { ...approved, certificate: 'AAAA' },
    approved,
    /Invalid value: "<certificate data>": must contain at least one CERTIFICATE PEM block/,
  ],
];

for (const [what, subresource, after, before, message] of verdicts) {
  test(`No update may ${what}`, async () => {
    const authorize = mayUse('approve sign', node);

    const answer = write({ object: await csr({}, after), old: await csr({}, before), subresource, authorize });

    assert.match(answer, message);
  });
}

test('Approval changes conditions only and says when; what was so before keeps its time', async () => {
  const old = await csr(
    {},
    { certificate: 'AAAA', conditions: [{ type: 'Failed', status: 'True', lastTransitionTime: 'long ago' }] },
  );
  const object = await csr(
    { signerName: 'example.com/other' },
    { certificate: 'BBBB', conditions: [{ type: 'Failed', status: 'True' }, ...approved.conditions] },
  );

  const prepared = preparedUpdate(object, old, { subresource: 'approval', time: 'now' });

  assert.deepEqual(prepared.spec, old.spec);
  assert.deepEqual(prepared.status, {
    certificate: 'AAAA',
    conditions: [
      { type: 'Failed', status: 'True', lastUpdateTime: 'now', lastTransitionTime: 'long ago' },
      { type: 'Approved', status: 'True', lastUpdateTime: 'then', lastTransitionTime: 'then' },
    ],
  });
});

test('Status writes everything but a verdict', async () => {
  const verdict = {
    type: 'Approved',
    status: 'True',
    reason: 'by a person',
    lastUpdateTime: 'then',
    lastTransitionTime: 'then',
  };
  const old = await csr({}, { conditions: [verdict] });
  const object = await csr({}, { certificate: 'BBBB', conditions: [{ ...verdict, reason: 'by nobody' }] });

  const prepared = preparedUpdate(object, old, { subresource: 'status', time: 'now' });

  assert.deepEqual(prepared.status, { certificate: 'BBBB', conditions: [verdict] });
});

test('A certificate says what was asked for, begins five minutes ago, and ends when it should', async () => {
  const clock = virtualClock();
  const now = clock.now();
  const world = { keys, authority: await keys.authority('ca', 0, now + DAY), authorityNotAfter: now + DAY, clock };
  const endOf = async (lifetimeMs: number) =>
    (keys.readCertificate(await signCertificate(world, await requestPem(), lifetimeMs))?.notAfter ?? 0) - now;

  assert.deepEqual(keys.readCertificate(await signCertificate(world, await requestPem(), HOUR)), {
    commonName: 'system:node:mac-0',
    organizations: ['system:nodes'],
    notBefore: now - minutes(5),
    notAfter: now + HOUR,
  });
  assert.equal(await endOf(minutes(1)), minutes(10));
  assert.equal(await endOf(2 * DAY), DAY);
});

test('A request that is no request, or not signed with its own key, is not signed', async () => {
  const clock = virtualClock();
  const world = { keys, authority: await keys.authority('ca', 0, 1), authorityNotAfter: 1, clock };
  const other = await keys.pair();
  const stolen = await keys.signingRequest({ ...pair, publicKeyPem: other.publicKeyPem }, 'a', []);

  await assert.rejects(signCertificate(world, 'nothing', HOUR), { code: 'PIPPIN_E_CERTIFICATE_REQUEST_UNREADABLE' });
  await assert.rejects(signCertificate(world, stolen, HOUR), { code: 'PIPPIN_E_CERTIFICATE_REQUEST_UNREADABLE' });
});

test('A controller reads a request before it signs: its subject, and whether it asks for more names', async () => {
  const clock = virtualClock();
  const world = {
    keys,
    authority: await keys.authority('ca', 0, clock.now() + DAY),
    authorityNotAfter: clock.now() + DAY,
    clock,
  };
  const signer = nodeSigner(world);

  assert.deepEqual(await signer.inspect(await requestPem()), {
    commonName: 'system:node:mac-0',
    organizations: ['system:nodes'],
    hasAlternativeNames: false,
  });
  await assert.rejects(signer.inspect('nothing'), { code: 'PIPPIN_E_CERTIFICATE_REQUEST_UNREADABLE' });
  assert.equal(keys.readCertificate(await signer.sign(await requestPem(), HOUR))?.notAfter, clock.now() + HOUR);
});
