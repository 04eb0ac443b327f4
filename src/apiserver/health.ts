// Whether the server is well: in a word, in one line for each check, or one check alone.

import type { ApiResponse } from '../kube/transport.ts';
import { textAnswer } from './answer/render.ts';

/**
 * Named as kube-apiserver names the parts that are here too, in its order. That this server answers at all is the
 * answer: it listens once everything below is done, and its store ends the process when it can no longer write.
 */
const BEGUN = [
  'start-apiserver-admission-initializer',
  'generic-apiserver-start-informers',
  'start-apiextensions-informers',
  'start-apiextensions-controllers',
  'crd-informer-synced',
  'start-system-namespaces-controller',
  'storage-readiness',
  'rbac/bootstrap-roles',
  'scheduling/bootstrap-system-priority-classes',
  'priority-and-fairness-config-producer',
  'bootstrap-controller',
  'start-kube-aggregator-informers',
  'apiservice-status-local-available-controller',
  'apiservice-registration-controller',
  'apiservice-discovery-controller',
  'kube-apiserver-autoregistration',
].map(hook => `poststarthook/${hook}`);
const DESCRIBED = ['apiservice-openapi-controller', 'apiservice-openapiv3-controller'].map(
  hook => `poststarthook/${hook}`,
);
const STARTED = [...BEGUN, 'autoregister-completion', ...DESCRIBED];
const ALIVE = ['ping', 'log', 'etcd', ...STARTED];

const CHECKS: Readonly<Record<string, readonly string[]>> = {
  healthz: ALIVE,
  livez: ALIVE,
  readyz: ['ping', 'log', 'etcd', 'etcd-readiness', 'informer-sync', ...STARTED, 'shutdown'],
};

const PATH = /^\/(healthz|livez|readyz)(?:\/(.+))?$/;

/** Undefined: no such path. */
export function healthAnswer(path: string, query: URLSearchParams): ApiResponse | undefined {
  const [, endpoint, check] = PATH.exec(path) ?? [];
  if (endpoint === undefined) return undefined;
  if (check === undefined) return unguessed(textAnswer(200, summary(endpoint, query)));
  return checksOf(endpoint).includes(check)
    ? textAnswer(200, 'ok')
    : unguessed(textAnswer(404, '404 page not found\n'));
}

/** Every path of a check. */
export const healthPaths: readonly string[] = Object.entries(CHECKS).flatMap(([endpoint, checks]) => [
  `/${endpoint}`,
  ...checks.map(check => `/${endpoint}/${check}`),
]);

const checksOf = (endpoint: string): readonly string[] => CHECKS[endpoint] ?? [];

function summary(endpoint: string, query: URLSearchParams): string {
  // Whatever it says: `verbose=false` is told everything too.
  if (!query.has('verbose')) return 'ok';
  const excluded = query.getAll('exclude');
  const checks = checksOf(endpoint);
  const lines = checks.map(check => (excluded.includes(check) ? `[+]${check} excluded: ok` : `[+]${check} ok`));
  const unknown = excluded.filter(name => !checks.includes(name));
  const names = unknown
    .toSorted()
    .map(name => JSON.stringify(name))
    .join(',');
  const warning = unknown.length === 0 ? [] : [`warn: some health checks cannot be excluded: no matches for ${names}`];
  return `${[...lines, ...warning, `${endpoint} check passed`].join('\n')}\n`;
}

/** Browsers are not to take the text for something else. */
function unguessed(answer: ApiResponse): ApiResponse {
  return { ...answer, headers: { ...answer.headers, 'x-content-type-options': 'nosniff' } };
}
