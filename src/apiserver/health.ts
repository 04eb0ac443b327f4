// Whether the server is well: in a word, in one line for each check, or one check alone.

import type { ApiResponse } from '../kube/transport.ts';
import { textAnswer } from './answer/render.ts';
import { truthy } from './request/list-options.ts';

/**
 * Named as kube-apiserver names them. That this server answers at all is the answer: its store ends the process when
 * it can no longer write.
 */
const CHECKS = ['ping', 'log', 'etcd'] as const;

const PATH = /^\/(healthz|livez|readyz)(?:\/(.+))?$/;

/** Undefined: no such path. */
export function healthAnswer(path: string, query: URLSearchParams): ApiResponse | undefined {
  const [, endpoint, check] = PATH.exec(path) ?? [];
  if (endpoint === undefined) return undefined;
  if (check === undefined) return unguessed(textAnswer(200, summary(endpoint, query)));
  return CHECKS.some(known => known === check)
    ? textAnswer(200, 'ok')
    : unguessed(textAnswer(404, '404 page not found\n'));
}

/** Every path of a check. */
export const healthPaths: readonly string[] = ['/healthz', '/livez', '/readyz'].flatMap(endpoint => [
  endpoint,
  ...CHECKS.map(check => `${endpoint}/${check}`),
]);

function summary(endpoint: string, query: URLSearchParams): string {
  if (!truthy(query.get('verbose'))) return 'ok';
  const excluded = query.getAll('exclude');
  const lines = CHECKS.map(check => (excluded.includes(check) ? `[+]${check} excluded: ok` : `[+]${check} ok`));
  const unknown = excluded.filter(name => !CHECKS.some(check => check === name));
  const names = unknown.map(name => JSON.stringify(name)).join(',');
  const warning = unknown.length === 0 ? [] : [`warn: some health checks cannot be excluded: no matches for ${names}`];
  return `${[...lines, ...warning, `${endpoint} check passed`].join('\n')}\n`;
}

/** Browsers are not to take the text for something else. */
function unguessed(answer: ApiResponse): ApiResponse {
  return { ...answer, headers: { ...answer.headers, 'x-content-type-options': 'nosniff' } };
}
