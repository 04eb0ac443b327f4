// Certificate signing requests: who asks, who approves, who signs.

import type { Case } from '../frame/case.ts';
import type { Trial } from '../frame/trial.ts';
import { grantedEverywhere, someone } from './people.ts';
import { MASTER, SOMEONE } from './request-pem.ts';

const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const KUBELET = 'kubernetes.io/kube-apiserver-client-kubelet';
const CLIENT = 'kubernetes.io/kube-apiserver-client';

async function asked(t: Trial, spec: object, name = 'request'): Promise<string> {
  const own = t.own(name);
  t.after(() => t.quietly({ method: 'DELETE', path: `${REQUESTS}/${own}` }));
  const request = Buffer.from(SOMEONE).toString('base64');
  const body = { metadata: { name: own }, spec: { request, signerName: CLIENT, usages: ['client auth'], ...spec } };
  // The administrators of the two servers have different names.
  await t.post(REQUESTS, body, { as: { user: t.own('asker'), groups: ['system:masters'] } });
  return `${REQUESTS}/${own}`;
}

const approval = (type = 'Approved', more: object = {}): object => ({
  status: { conditions: [{ type, status: 'True', reason: 'Test', message: 'because', ...more }] },
});

export const certificates: readonly Case[] = [
  {
    says: 'a request says who asked, and cannot say so itself',
    steps: async t => {
      await asked(t, { username: 'forged', groups: ['forged'], uid: 'forged' });
    },
  },
  {
    says: 'a request is PEM, for known usages, by a signer that has a name',
    steps: async t => {
      await asked(t, { request: Buffer.from('nonsense').toString('base64') }, 'a');
      await asked(t, { usages: [] }, 'b');
      await asked(t, { usages: ['world domination'] }, 'c');
      await asked(t, { signerName: 'nodots' }, 'd');
      await asked(t, { signerName: '' }, 'e');
      await asked(t, { expirationSeconds: 5 }, 'f');
      await asked(t, { usages: ['client auth', 'client auth'] }, 'g');
    },
  },
  {
    says: 'what a request asks for does not change',
    steps: async t => {
      const path = await asked(t, {});
      await t.patch(path, 'merge-patch+json', { spec: { usages: ['server auth'] } });
      await t.patch(path, 'merge-patch+json', { metadata: { labels: { a: 'b' } } });
    },
  },
  {
    says: 'an approval is written on its own path, once, and not taken back',
    steps: async t => {
      const path = await asked(t, { signerName: 'example.com/own' });
      await t.patch(path, 'merge-patch+json', approval());
      await t.patch(`${path}/approval`, 'merge-patch+json', approval('Approved', { status: 'False' }));
      await t.patch(`${path}/approval`, 'merge-patch+json', approval());
      await t.patch(`${path}/approval`, 'merge-patch+json', approval('Denied'));
      await t.patch(`${path}/approval`, 'merge-patch+json', { status: { conditions: [] } });
      await t.patch(`${path}/status`, 'merge-patch+json', {
        status: { certificate: Buffer.from('x').toString('base64') },
      });
    },
  },
  {
    says: 'approved and denied exclude each other, and failed is the signer’s',
    steps: async t => {
      const path = await asked(t, { signerName: 'example.com/own' });
      await t.patch(`${path}/approval`, 'merge-patch+json', approval('Failed'));
      await t.patch(`${path}/approval`, 'merge-patch+json', approval('Denied'));
      await t.patch(`${path}/status`, 'merge-patch+json', approval('Failed'));
      await t.get(path);
    },
  },
  {
    says: 'who approves must be allowed to approve for the signer',
    steps: async t => {
      const rule = {
        apiGroups: ['certificates.k8s.io'],
        resources: ['certificatesigningrequests/approval'],
        verbs: ['update', 'patch'],
      };
      const as = await grantedEverywhere(t, [rule]);
      const path = await asked(t, { signerName: 'example.com/own' });
      await t.patch(`${path}/approval`, 'merge-patch+json', approval(), { as });
    },
  },
  {
    says: 'nobody asks for a certificate of the masters',
    steps: async t => {
      const request = Buffer.from(MASTER).toString('base64');
      await asked(t, { request });
    },
  },
  {
    says: 'a kubelet’s client certificate is asked for in its own name',
    steps: async t => {
      await asked(t, { signerName: KUBELET, usages: ['digital signature', 'client auth'] });
    },
  },
  {
    says: 'who may not ask is refused',
    steps: async t => {
      await t.post(REQUESTS, { metadata: { name: t.own('x') } }, { as: someone(t) });
      await t.get(REQUESTS, { as: someone(t) });
    },
  },
];
