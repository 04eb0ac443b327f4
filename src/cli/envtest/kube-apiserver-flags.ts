// The flags of kube-apiserver that its stand-in for envtest takes, and what it makes of them.

import { goTruth } from '../../apiserver/rules/go-truth.ts';
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
  { name: 'anonymous-auth', isBool: true, help: 'Whether requests without credentials are anonymous (true)' },
  { name: 'default-not-ready-toleration-seconds', help: 'How long Pods stay on a Node that is not ready (300)' },
  { name: 'default-unreachable-toleration-seconds', help: 'How long Pods stay on a Node that is unreachable (300)' },
  { name: 'feature-gates', help: 'name=true|false, separated by commas; what would change something is refused' },
  { name: 'min-request-timeout', help: 'The least time, in seconds, that a watch lasts (1800)' },
  { name: 'runtime-config', help: 'Versions to serve, separated by commas; those that are not built in are refused' },
  { name: 'service-cluster-ip-range', help: 'The IPv4 network of Services (10.0.0.0/16)' },
  { name: 'service-node-port-range', help: 'The ports of Nodes that Services get (30000-32767)' },
  { name: 'enable-admission-plugins', help: 'Plugins that must run; those that are not built in are refused' },
  { name: 'disable-admission-plugins', help: 'Plugins that must not run; those that always run here are refused' },
];

const NO_EFFECT = 'Taken, without effect here';
/** They change how a server runs, and nothing that a test sees. */
const WITHOUT_EFFECT: readonly Flag[] = [
  ...[
    'advertise-address',
    'delete-collection-workers',
    'endpoint-reconciler-type',
    'etcd-cafile',
    'etcd-certfile',
    'etcd-compaction-interval',
    'etcd-count-metric-poll-period',
    'etcd-db-metric-poll-interval',
    'etcd-healthcheck-timeout',
    'etcd-keyfile',
    'etcd-prefix',
    'etcd-readycheck-timeout',
    'etcd-servers',
    'etcd-servers-overrides',
    'external-hostname',
    'goaway-chance',
    'lease-reuse-duration-seconds',
    'livez-grace-period',
    'log-flush-frequency',
    'log-json-info-buffer-size',
    'log-text-info-buffer-size',
    'logging-format',
    'max-mutating-requests-inflight',
    'max-requests-inflight',
    'shutdown-delay-duration',
    'shutdown-watch-termination-grace-period',
    'storage-backend',
    'storage-initialization-timeout',
    'storage-media-type',
    'v',
    'vmodule',
    'watch-cache-sizes',
  ].map(name => ({ name, help: NO_EFFECT })),
  ...[
    'contention-profiling',
    'enable-aggregator-routing',
    'enable-logs-handler',
    'enable-priority-and-fairness',
    'log-json-split-stream',
    'log-text-split-stream',
    'permit-address-sharing',
    'permit-port-sharing',
    'profiling',
    'shutdown-send-retry-after',
    'watch-cache',
  ].map((name): Flag => ({ name, isBool: true, help: NO_EFFECT })),
];

/** What they switch off is always on here. */
const ALWAYS_ON = ['allow-privileged', 'enable-garbage-collector', 'service-account-lookup'];

const byName = (one: Flag, other: Flag): number => (one.name < other.name ? -1 : 1);

export const KUBE_APISERVER_FLAGS: readonly Flag[] = [
  ...EFFECTIVE,
  ...WITHOUT_EFFECT,
  ...ALWAYS_ON.map((name): Flag => ({ name, isBool: true, help: 'Only true is taken: it is always on here' })),
].sort(byName);

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

const flagFixed = defineError('PIPPIN_E_ENVTEST_FLAG_FIXED', {
  retry: 'never',
  remedy: 'Leave it out, or test against the real kube-apiserver what depends on it',
  says: (flag: string) => `--${flag}=false is not built in`,
});

const valueInvalid = defineError('PIPPIN_E_ENVTEST_FLAG_VALUE', {
  retry: 'never',
  remedy: 'Write true or false for a switch, and a whole number of seconds for a time',
  // In the words of the real program.
  says: (flag: string, text: string, why: string) =>
    `invalid argument ${JSON.stringify(text)} for "--${flag}" flag: ${why}`,
});

function truthOf(given: Given, name: string): 'true' | 'false' | undefined {
  const text = given.get(name)?.at(-1);
  if (text === undefined) return undefined;
  const truth = goTruth(text);
  if (truth !== undefined) return truth;
  throw valueInvalid(name, text, `strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax`);
}

function wholeOf(given: Given, name: string, usual: number): number {
  const text = given.get(name)?.at(-1);
  if (text === undefined) return usual;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw valueInvalid(name, text, `strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
}

export function setupOf(given: Given): EnvtestSetup {
  for (const name of ALWAYS_ON) if (truthOf(given, name) === 'false') throw flagFixed(name);
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
    anonymous: truthOf(given, 'anonymous-auth') === 'false' ? 'nobody' : 'anybody',
    serviceNetworks: all('service-cluster-ip-range'),
    nodePorts: last('service-node-port-range'),
    featureGates: all('feature-gates'),
    runtimeConfig: all('runtime-config'),
    patience: {
      notReady: wholeOf(given, 'default-not-ready-toleration-seconds', 300),
      unreachable: wholeOf(given, 'default-unreachable-toleration-seconds', 300),
    },
    minWatchSeconds: wholeOf(given, 'min-request-timeout', 1800),
    eventTtlMs: eventTtlOf(last('event-ttl') ?? '1h'),
    enabledPlugins: all('enable-admission-plugins'),
    disabledPlugins: all('disable-admission-plugins'),
  };
}
