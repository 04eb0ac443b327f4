// ServiceAccounts, Secrets and ConfigMaps: what every Namespace and every Pod gets, and what stays as it is.

import type { Case } from '../frame/case.ts';
import { podsIn } from '../frame/prepared.ts';
import type { Trial } from '../frame/trial.ts';

const MERGE = 'merge-patch+json';
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const bare = (name: string, spec: object = {}): object => ({
  metadata: { name },
  spec: { containers: [{ name: 'main', image: 'example.com/main:1' }], ...spec },
});

/** Which keys a token Secret has got, for whom: the token and the authority are this server's own. */
async function settled(t: Trial, path: string): Promise<void> {
  const deadline = Date.now() + 20_000;
  for (;;) {
    const { json } = await t.quietly({ method: 'GET', path });
    if (json?.data?.token !== undefined) {
      const { annotations, managedFields } = json.metadata;
      return t.note('filled', { keys: Object.keys(json.data), annotations, fields: managedFields.at(0)?.fieldsV1 });
    }
    if (Date.now() > deadline) throw new Error('the Secret was not filled');
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}

export const accounts: readonly Case[] = [
  {
    says: 'a Namespace gets the account default and the certificate of the cluster',
    steps: async t => {
      await t.until(await t.in('serviceaccounts/default'), account => account !== undefined);
      await t.until(await t.in('configmaps/kube-root-ca.crt'), map => map !== undefined);
      await t.delete(await t.in('serviceaccounts/default'));
      await t.until(await t.in('serviceaccounts/default'), account => account !== undefined);
    },
  },
  {
    says: 'a Pod runs as an account, whose token is mounted into each container',
    steps: async t => {
      const pods = await podsIn(t);
      await t.post(pods, bare('p', { initContainers: [{ name: 'before', image: 'example.com/x:1' }] }));
      await t.post(pods, bare('absent', { serviceAccountName: 'nobody' }));
      await t.patch(`${pods}/p`, MERGE, { spec: { serviceAccountName: 'other' } });
    },
  },
  {
    says: 'an account that is not to be mounted is not, unless the Pod says otherwise',
    steps: async t => {
      const pods = await podsIn(t);
      const body = {
        metadata: { name: 'quiet' },
        automountServiceAccountToken: false,
        imagePullSecrets: [{ name: 'pull' }],
      };
      await t.post(await t.in('serviceaccounts'), body);
      await t.post(pods, bare('p', { serviceAccountName: 'quiet' }));
      await t.post(pods, bare('loud', { serviceAccountName: 'quiet', automountServiceAccountToken: true }));
      await t.post(pods, bare('own', { serviceAccountName: 'quiet', imagePullSecrets: [{ name: 'own' }] }));
    },
  },
  {
    says: 'a token Secret is filled for its account and goes with it',
    steps: async t => {
      const path = await t.in('secrets');
      await t.quietly({ method: 'POST', path: await t.in('serviceaccounts'), body: { metadata: { name: 'robot' } } });
      const annotations = { 'kubernetes.io/service-account.name': 'robot' };
      const type = 'kubernetes.io/service-account-token';
      await t.post(path, { metadata: { name: 'token', annotations }, type });
      await settled(t, `${path}/token`);
      await t.delete(await t.in('serviceaccounts/robot'));
      await t.until(`${path}/token`, secret => secret === undefined);
      await t.post(path, { metadata: { name: 'whose' }, type });
    },
  },
  {
    says: 'the text in stringData is written over data, and never read',
    steps: async t => {
      const path = await t.in('secrets');
      await t.post(path, {
        metadata: { name: 's' },
        data: { a: base64('1'), b: base64('2') },
        stringData: { b: 'two' },
      });
      await t.patch(`${path}/s`, MERGE, { stringData: { c: 'three' } });
      await t.patch(`${path}/s`, 'strategic-merge-patch+json', { stringData: { a: null, c: '' } });
      await t.post(path, { metadata: { name: 'bad' }, data: { a: 'not base64!' } });
      await t.post(path, { metadata: { name: 'numbers' }, stringData: { a: 1 } });
    },
  },
  {
    says: 'an immutable Secret or ConfigMap changes its labels and nothing else',
    steps: async t => {
      for (const [plural, data] of [
        ['secrets', { a: base64('1') }],
        ['configmaps', { a: '1' }],
      ] as const) {
        const path = await t.in(plural);
        await t.post(path, { metadata: { name: 'fixed' }, immutable: true, data });
        await t.patch(`${path}/fixed`, MERGE, { metadata: { labels: { a: 'b' } } });
        await t.patch(`${path}/fixed`, MERGE, { data: { a: plural === 'secrets' ? base64('2') : '2' } });
        await t.patch(`${path}/fixed`, MERGE, { immutable: null });
        await t.patch(`${path}/fixed`, MERGE, { immutable: false });
      }
    },
  },
  {
    says: 'a Secret of a known type must have its keys, and keeps its type',
    steps: async t => {
      const path = await t.in('secrets');
      const typed = (name: string, type: string, data: object): object => ({
        metadata: { name },
        type,
        stringData: data,
      });
      await t.post(path, typed('tls', 'kubernetes.io/tls', { 'tls.crt': 'x' }));
      await t.post(path, typed('docker', 'kubernetes.io/dockerconfigjson', { '.dockerconfigjson': '<no json>' }));
      await t.post(path, typed('old', 'kubernetes.io/dockercfg', {}));
      await t.post(path, typed('basic', 'kubernetes.io/basic-auth', { other: 'x' }));
      await t.post(path, typed('ssh', 'kubernetes.io/ssh-auth', {}));
      await t.post(path, typed('boot', 'bootstrap.kubernetes.io/token', { anything: 'x' }));
      await t.post(path, typed('own', 'example.com/own', {}));
      await t.patch(`${path}/own`, MERGE, { type: 'Opaque' });
      await t.get(`${path}?fieldSelector=type%3Dexample.com/own`);
    },
  },
  {
    says: 'the keys of Secrets and ConfigMaps can be names of files',
    steps: async t => {
      const maps = await t.in('configmaps');
      for (const key of ['a/b', '..', '', 'x'.repeat(254)])
        await t.post(maps, { metadata: { name: 'a' }, data: { [key]: 'x' } });
      await t.post(maps, { metadata: { name: 'b' }, data: { same: 'x' }, binaryData: { same: base64('x') } });
      await t.post(maps, {
        metadata: { name: 'c' },
        data: { text: 'x' },
        binaryData: { bytes: base64('\u0000\u0001') },
      });
      await t.post(await t.in('secrets'), { metadata: { name: 'a' }, data: { 'a b': base64('x') } });
    },
  },
];
