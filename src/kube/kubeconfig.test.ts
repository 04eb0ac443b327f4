// Kubeconfigs: what they lead to, and what a person reads when one of them is no good.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualClock } from '../../sim/time/clock.ts';
import { PippinError } from '../base/errors.ts';
import { type FileReader, inClusterAccess, kubeconfigAccess } from './kubeconfig.ts';

const PEM = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
const base64 = (value: string): string => Buffer.from(value).toString('base64');

function filesOf(files: Readonly<Record<string, string>>): FileReader {
  return {
    read: async path => files[path] ?? Promise.reject(new Error(`ENOENT: no such file, open '${path}'`)),
    beside: (file, path) => (path.startsWith('/') ? path : `${file.slice(0, file.lastIndexOf('/'))}/${path}`),
  };
}

interface Parts {
  readonly cluster?: object;
  readonly user?: object;
}

const config = ({ cluster = {}, user = {} }: Parts): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'here',
    contexts: [
      { name: 'here', context: { cluster: 'c', user: 'u' } },
      { name: 'there', context: { cluster: 'far', user: 'u' } },
    ],
    clusters: [
      { name: 'c', cluster: { server: 'https://10.0.0.1:6443', ...cluster } },
      { name: 'far', cluster: { server: 'https://far:6443' } },
    ],
    users: [{ name: 'u', user }],
  });

const clock = virtualClock();

const accessTo = (text: string, files: Readonly<Record<string, string>> = {}, context?: string) =>
  kubeconfigAccess('/k/config', {
    files: filesOf({ '/k/config': text, ...files }),
    clock,
    ...(context === undefined ? {} : { context }),
  });

test('certificates inside the file are decoded, those beside it are read', async () => {
  const inside = await accessTo(
    config({
      cluster: { 'certificate-authority-data': base64(PEM) },
      user: { 'client-certificate-data': base64(PEM), 'client-key-data': base64(PEM) },
    }),
  );
  assert.deepEqual(
    [inside.server, inside.caPem, inside.clientCertificatePem, inside.clientKeyPem],
    ['https://10.0.0.1:6443', PEM, PEM, PEM],
  );

  const beside = await accessTo(config({ cluster: { 'certificate-authority': 'ca.crt' } }), { '/k/ca.crt': PEM });
  assert.equal(beside.caPem, PEM);
});

test('another context can be asked for', async () => {
  assert.equal((await accessTo(config({}), {}, 'there')).server, 'https://far:6443');
});

test('a token file is read again, because tokens are renewed while programs run', async () => {
  const files: Record<string, string> = { '/k/token': 'first\n' };
  const reader = filesOf(files);
  files['/k/config'] = config({ user: { tokenFile: 'token' } });
  const access = await kubeconfigAccess('/k/config', { files: reader, clock });
  assert.equal(await access.token?.(), 'first');

  files['/k/token'] = 'second\n';
  assert.equal(await access.token?.(), 'first');
  await clock.advance(60_000);

  assert.equal(await access.token?.(), 'second');
});

const BROKEN: Readonly<Record<string, [string, RegExp]>> = {
  'no YAML': ['a: [b', /config is no YAML: /],
  'another kind of file': ['kind: Pod', /is no kubeconfig/],
  'a list': ['- a', /is no kubeconfig/],
  'no current context': ['kind: Config', /has no current-context/],
  'a context that is not there': ['kind: Config\ncurrent-context: x', /has no context "x" under contexts/],
  'a server that is no URL': [config({ cluster: { server: 'nowhere' } }), /without a server URL/],
  'a server of another scheme': [config({ cluster: { server: 'ftp://x' } }), /not http or https/],
  'a certificate that is no PEM': [config({ cluster: { 'certificate-authority-data': 'AAAA' } }), /no PEM in base64/],
  'a certificate without its key': [config({ user: { 'client-certificate-data': base64(PEM) } }), /without its key/],
  'a file that is missing': [config({ user: { 'client-key': 'gone.key' } }), /its client-key: ENOENT/],
  'a token file that is missing': [config({ user: { tokenFile: 'gone' } }), /its tokenFile: ENOENT/],
  'a command for credentials': [config({ user: { exec: { command: 'aws' } } }), /uses exec credentials/],
};

for (const [what, [text, says]] of Object.entries(BROKEN)) {
  test(`a kubeconfig with ${what} is refused in one sentence with a remedy`, async () => {
    await assert.rejects(accessTo(text), error => {
      assert.ok(error instanceof PippinError);
      assert.match(error.message, says);
      assert.ok(error.remedy.length > 0 && !error.message.includes('\n'));
      return true;
    });
  });
}

test('what a broken kubeconfig holds is not repeated in the error (safe-20)', async () => {
  await assert.rejects(accessTo('users:\n- token: s3cret\n  bad: [s3cret'), error => {
    assert.ok(error instanceof PippinError && !error.message.includes('s3cret'));
    return true;
  });
});

test('a file that cannot be read is named', async () => {
  await assert.rejects(kubeconfigAccess('/nowhere/config', { files: filesOf({}), clock }), {
    code: 'PIPPIN_E_KUBECONFIG_UNREADABLE',
    message: /Cannot read the kubeconfig \/nowhere\/config/,
  });
});

test('in a Pod the service account leads to the cluster; elsewhere that is said', async () => {
  const account = '/var/run/secrets/kubernetes.io/serviceaccount';
  const files = filesOf({ [`${account}/token`]: 't\n', [`${account}/ca.crt`]: PEM });
  const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '6443' };

  const access = await inClusterAccess(env, { files, clock });

  assert.deepEqual([access.server, access.caPem, await access.token?.()], ['https://[fd00::1]:6443', PEM, 't']);
  await assert.rejects(inClusterAccess({}, { files, clock }), { code: 'PIPPIN_E_NOT_IN_A_POD' });
  await assert.rejects(inClusterAccess(env, { files: filesOf({}), clock }), /no service account/);
});
