// `etcd` for Go's envtest: answers the health check and nothing else, because the API beside it keeps its own state.

import { serveHealth } from '../../fleet/envtest/health.ts';
import type { Flag } from './arguments.ts';
import { runStandIn } from './program.ts';

const CLIENT_URLS = 'listen-client-urls';
const NO_EFFECT = 'Taken, without effect here';
const DEFAULT_URL = 'http://127.0.0.1:2379';

const flags: readonly Flag[] = [
  { name: CLIENT_URLS, help: `Where GET /health is answered (${DEFAULT_URL})` },
  ...[
    'advertise-client-urls',
    'data-dir',
    'initial-advertise-peer-urls',
    'initial-cluster',
    'listen-peer-urls',
    'log-level',
    'max-request-bytes',
    'name',
    'quota-backend-bytes',
    'snapshot-count',
  ].map(name => ({ name, help: NO_EFFECT })),
  { name: 'unsafe-no-fsync', isBool: true, help: NO_EFFECT },
];

await runStandIn({
  name: 'etcd',
  summary: 'A stand-in for etcd, for tests: the kube-apiserver beside it needs none.',
  flags,
  start: given => serveHealth((given.get(CLIENT_URLS) ?? [DEFAULT_URL]).flatMap(urls => urls.split(','))),
});
