// The flags of kube-apiserver that its stand-in for envtest takes, and what it makes of them.

import { defineError } from '../../base/errors.ts';
import type { EnvtestSetup } from '../../fleet/envtest/serve.ts';
import type { Flag, Given } from './arguments.ts';
import { eventTtlOf } from './event-ttl.ts';

const EFFECTIVE: readonly Flag[] = [
  { name: 'bind-address', help: 'The address to listen on (127.0.0.1)' },
  { name: 'secure-port', help: 'The port to listen on (6443)' },
  { name: 'cert-dir', help: 'Where apiserver.crt and apiserver.key are; made there when they are missing' },
  { name: 'tls-cert-file', help: "The server's certificate, instead of the one in cert-dir" },
  { name: 'tls-private-key-file', help: 'The key of tls-cert-file' },
  { name: 'client-ca-file', help: 'Whoever signed the certificates of clients' },
  { name: 'token-auth-file', help: 'Bearer tokens: a CSV file of token, user, uid and groups' },
  { name: 'service-account-key-file', help: 'Checks the tokens of service accounts: a public key or a certificate' },
  { name: 'service-account-signing-key-file', help: 'Signs the tokens of service accounts' },
  { name: 'service-account-issuer', help: 'Who issues the tokens of service accounts' },
  { name: 'api-audiences', help: 'Whom those tokens are for; the issuer unless told otherwise' },
  { name: 'authorization-mode', help: 'AlwaysAllow (unless told otherwise), RBAC and Node, separated by commas' },
  { name: 'event-ttl', help: 'How long Events stay after they were last written (1h0m0s); 0 for ever' },
  { name: 'enable-admission-plugins', help: 'Plugins that must run; those that are not built in are refused' },
  { name: 'disable-admission-plugins', help: 'Plugins that must not run; those that always run here are refused' },
];

const NO_EFFECT = 'Taken, without effect here';
const WITHOUT_EFFECT: readonly Flag[] = [
  ...[
    'advertise-address',
    'endpoint-reconciler-type',
    'etcd-prefix',
    'etcd-servers',
    'external-hostname',
    'feature-gates',
    'max-mutating-requests-inflight',
    'max-requests-inflight',
    'runtime-config',
    'service-cluster-ip-range',
    'storage-backend',
    'storage-media-type',
    'v',
    'vmodule',
  ].map(name => ({ name, help: NO_EFFECT })),
  ...['allow-privileged', 'enable-priority-and-fairness', 'profiling', 'watch-cache'].map(
    (name): Flag => ({ name, isBool: true, help: NO_EFFECT }),
  ),
];

const byName = (one: Flag, other: Flag): number => (one.name < other.name ? -1 : 1);

export const KUBE_APISERVER_FLAGS: readonly Flag[] = [...EFFECTIVE, ...WITHOUT_EFFECT].sort(byName);

const DEFAULT_PORT = '6443';

const portInvalid = defineError('PIPPIN_E_ENVTEST_PORT', {
  retry: 'never',
  remedy: 'Use a number from 1 to 65535',
  says: (text: string) => `--secure-port: ${JSON.stringify(text)} is no port`,
});

function portOf(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port < 1 || port > 65_535) throw portInvalid(text);
  return port;
}

export function setupOf(given: Given): EnvtestSetup {
  const last = (name: string): string | undefined => given.get(name)?.at(-1);
  const all = (name: string): readonly string[] =>
    (given.get(name) ?? []).flatMap(value => value.split(',')).filter(value => value !== '');
  return {
    host: last('bind-address') ?? '127.0.0.1',
    port: portOf(last('secure-port') ?? DEFAULT_PORT),
    files: {
      certDir: last('cert-dir'),
      certificate: last('tls-cert-file'),
      key: last('tls-private-key-file'),
      clientAuthority: last('client-ca-file'),
      tokens: last('token-auth-file'),
      accountKey: last('service-account-key-file'),
      accountSigningKey: last('service-account-signing-key-file'),
    },
    issuer: last('service-account-issuer'),
    audiences: all('api-audiences'),
    authorizationModes: all('authorization-mode'),
    eventTtlMs: eventTtlOf(last('event-ttl') ?? '1h'),
    enabledPlugins: all('enable-admission-plugins'),
    disabledPlugins: all('disable-admission-plugins'),
  };
}
