// Node certificates from request to signature, on the embedded API.

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { minutes, seconds } from '../../base/clock.ts';
import { CertificateSigningRequest } from '../../kube/core/other.ts';
import { keyController } from '../../kube/run.ts';
import type { ApiRequest, Transport } from '../../kube/transport.ts';
import { aWorld, type TestWorld } from '../world.testing.ts';
import type { RequestedSubject } from './approval.ts';
import { nodeCertificates } from './controller.ts';

let world: TestWorld;

afterEach(() => world.stop());

const NODE: RequestedSubject = {
  commonName: 'system:node:mac-0',
  organizations: ['system:nodes'],
  hasAlternativeNames: false,
};

interface Setting {
  readonly subject?: RequestedSubject | 'unreadable';
  readonly allowed?: boolean;
}

/** Answers access reviews as the test says; the embedded API of these tests has no authorizer to ask. */
const reviewing =
  (allowed: boolean, asked: unknown[]) =>
  (transport: Transport): Transport =>
  async request => {
    if (!request.path.endsWith('/subjectaccessreviews')) return transport(request);
    asked.push(JSON.parse(new TextDecoder().decode(request.body)).spec);
    return {
      status: 201,
      headers: {},
      body: bytes({ kind: 'SubjectAccessReview', metadata: {}, status: { allowed } }),
    };
  };

const bytes = (body: unknown): NonNullable<ApiRequest['body']> => new TextEncoder().encode(JSON.stringify(body));

async function request({ subject = NODE, allowed = true }: Setting, spec: object = {}) {
  const asked: unknown[] = [];
  const lives: number[] = [];
  world = await aWorld({ between: reviewing(allowed, asked) });
  const signer = {
    inspect: async () => {
      if (subject === 'unreadable') throw new Error('no request');
      return subject;
    },
    sign: async (_pem: string, ttlMs: number) => {
      lives.push(ttlMs);
      return '-----BEGIN CERTIFICATE-----\nMA==\n-----END CERTIFICATE-----\n';
    },
  };
  world.run([keyController(nodeCertificates({ signer, longestMs: minutes(1440), keptMs: minutes(60) }))]);
  await world.api.create(CertificateSigningRequest, {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name: 'mac-0' },
    spec: {
      request: btoa('-----BEGIN CERTIFICATE REQUEST-----'),
      signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
      usages: ['client auth', 'digital signature'],
      ...spec,
    },
  });
  await world.pass(seconds(5));
  return { asked, lives, object: await world.api.get(CertificateSigningRequest, { name: 'mac-0' }) };
}

const types = (object: CertificateSigningRequest): readonly string[] =>
  object.status?.conditions?.map(condition => condition.type) ?? [];

test('a request that its sender may make is approved and signed for at most a day', async () => {
  const { asked, lives, object } = await request({});

  assert.deepEqual(types(object), ['Approved']);
  assert.match(atob(object.status?.certificate ?? ''), /BEGIN CERTIFICATE/);
  assert.deepEqual(lives, [minutes(1440)]);
  assert.match(JSON.stringify(asked), /"subresource":"nodeclient"/);
});

test('a shorter life is granted as asked', async () => {
  const { lives } = await request({}, { expirationSeconds: 3600 });

  assert.deepEqual(lives, [minutes(60)]);
});

test('a sender without the right gets nothing', async () => {
  const { object, lives } = await request({ allowed: false });

  assert.deepEqual([types(object), lives], [[], []]);
});

test('even an approved request is not signed when it asks for more than a Node may be', async () => {
  const { lives } = await request({ subject: { ...NODE, organizations: ['system:masters'] } });
  const approved = { type: 'Approved', status: 'True', reason: 'ByHand' };
  await world.api.patch(
    CertificateSigningRequest,
    { name: 'mac-0' },
    { status: { conditions: [approved] } },
    { subresource: 'approval' },
  );

  await world.pass(minutes(5));

  assert.deepEqual(lives, []);
});

const byHand = (): Promise<unknown> =>
  world.api.patch(
    CertificateSigningRequest,
    { name: 'mac-0' },
    { status: { conditions: [{ type: 'Approved', status: 'True', reason: 'ByHand' }] } },
    { subresource: 'approval' },
  );

const SOMEONE: RequestedSubject = { commonName: 'someone', organizations: ['some'], hasAlternativeNames: false };

test('a certificate of a person is issued for a year once somebody approved it, and not before', async () => {
  const { lives } = await request({ subject: SOMEONE }, { signerName: 'kubernetes.io/kube-apiserver-client' });
  assert.deepEqual(lives, []);

  await byHand();
  await world.pass(minutes(5));

  assert.deepEqual(lives, [minutes(365 * 24 * 60)]);
});

test('a certificate of a person is for clients alone: another use is left to whoever knows it', async () => {
  const spec = { signerName: 'kubernetes.io/kube-apiserver-client', usages: ['client auth', 'server auth'] };
  const { lives } = await request({ subject: SOMEONE }, spec);

  await byHand();
  await world.pass(minutes(5));

  const object = await world.api.get(CertificateSigningRequest, { name: 'mac-0' });
  assert.deepEqual([lives, types(object)], [[], ['Approved']]);
});

test('a serving certificate is issued to a Node that says where it serves, and fails for anybody else', async () => {
  const spec = { signerName: 'kubernetes.io/kubelet-serving', usages: ['server auth', 'digital signature'] };
  const serving = { ...NODE, hasAlternativeNames: true, namesHosts: true };
  const { lives } = await request({ subject: serving }, spec);
  await byHand();
  await world.pass(minutes(5));
  assert.deepEqual(lives, [minutes(1440)]);
  await world.stop();

  await request({ subject: NODE }, spec);
  await byHand();
  await world.pass(minutes(5));

  const { status } = await world.api.get(CertificateSigningRequest, { name: 'mac-0' });
  const failed = status?.conditions?.find(({ type }) => type === 'Failed');
  assert.equal(failed?.message, 'DNS or IP subjectAltName is required');
});

test('a request that cannot be read says so', async () => {
  const { object } = await request({ subject: 'unreadable' });

  assert.deepEqual(types(object), ['Failed']);
});

test('requests that are dealt with are cleared away in the end', async () => {
  await request({});

  await world.pass(minutes(61));

  assert.equal(await world.api.find(CertificateSigningRequest, { name: 'mac-0' }), undefined);
});
