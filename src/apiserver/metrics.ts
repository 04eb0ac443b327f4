// What the server counts of itself, in the text form of Prometheus under the names of kube-apiserver.

import type { ApiResponse } from '../kube/transport.ts';
import { bytesOf } from './answer/render.ts';
import type { Core } from './core.ts';

const TYPE = 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores';

/** Requests by HTTP method and code. */
export class RequestCounts {
  readonly #counts = new Map<string, number>();

  add(method: string, code: number): void {
    const key = `verb="${method}",code="${code}"`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  lines(): readonly string[] {
    return [...this.#counts].sort().map(([labels, count]) => `apiserver_request_total{${labels}} ${count}`);
  }
}

export function metricsAnswer({ requests, watches, store }: Core): ApiResponse {
  const text = [
    '# HELP apiserver_longrunning_requests Watches that are open now.',
    '# TYPE apiserver_longrunning_requests gauge',
    `apiserver_longrunning_requests{verb="WATCH"} ${watches.size}`,
    '# HELP apiserver_request_total Requests that were answered, by HTTP method and code.',
    '# TYPE apiserver_request_total counter',
    ...requests.lines(),
    '# HELP etcd_debugging_mvcc_current_revision The newest revision that is on disk.',
    '# TYPE etcd_debugging_mvcc_current_revision gauge',
    `etcd_debugging_mvcc_current_revision ${store.revision}`,
    '',
  ].join('\n');
  return { status: 200, headers: { 'content-type': TYPE, 'cache-control': 'no-cache, private' }, body: bytesOf(text) };
}
