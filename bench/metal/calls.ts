// Counts what a program asks of an API server: writes by kind, live reads, and what it tells on the side.

import type { ApiRequest, Transport } from '../../src/kube/transport.ts';

/** How often each was asked: `create metal3datas`, `patch metal3datas/status`, `get secrets`, `watch ipclaims`. */
export type Calls = ReadonlyMap<string, number>;

const READS = ['get', 'list', 'watch', 'discover'];

/** What sums up many objects is written once a second at most, whatever the number of claims. */
const COALESCED = ['patch metal3datatemplates/status', 'patch ippools/status'];

export class CallCount {
  private readonly counts = new Map<string, number>();

  /** The same transport, counted. */
  over(transport: Transport): Transport {
    return request => {
      const call = callOf(request);
      this.counts.set(call, (this.counts.get(call) ?? 0) + 1);
      return transport(request);
    };
  }

  soFar(): Calls {
    return new Map(this.counts);
  }
}

/** What was asked between two looks. */
export function between(before: Calls, after: Calls): Calls {
  const news = [...after].map(([call, count]) => [call, count - (before.get(call) ?? 0)] as const);
  return new Map(news.filter(([, count]) => count > 0));
}

/** Writes that a claim costs: neither Events nor coalesced status, which are no more for more claims. */
export const writesIn = (calls: Calls): number => sum(calls, call => !isRead(call) && !isAside(call));

/** Single objects that were read past the cache. */
export const liveReadsIn = (calls: Calls): number => sum(calls, call => call.startsWith('get '));

/** Lists and new watches: of a cache that had to begin again. */
export const relistsIn = (calls: Calls): number => sum(calls, call => /^(list|watch) /.test(call));

/** Events and coalesced status. */
export const asideIn = (calls: Calls): number => sum(calls, isAside);

function sum(calls: Calls, counts: (call: string) => boolean): number {
  return [...calls].reduce((total, [call, count]) => total + (counts(call) ? count : 0), 0);
}

const isRead = (call: string): boolean => READS.includes(call.split(' ')[0] ?? '');

const isAside = (call: string): boolean => COALESCED.includes(call) || / events$/.test(call);

const VERBS: Readonly<Record<ApiRequest['method'], string>> = {
  GET: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

/** `/api/v1/namespaces/NS/secrets/NAME` or `/apis/GROUP/VERSION/namespaces/NS/PLURAL/NAME/SUBRESOURCE`. */
function callOf({ method, path, query }: ApiRequest): string {
  const parts = path.split('/').slice(1);
  const rest = parts.slice(parts[0] === 'api' ? 2 : 3);
  const [plural, name, subresource] = rest[0] === 'namespaces' && rest.length > 2 ? rest.slice(2) : rest;
  if (plural === undefined) return `discover ${path}`;
  if (method !== 'GET') return `${VERBS[method]} ${plural}${subresource === undefined ? '' : `/${subresource}`}`;
  if (/(^|&)watch=/.test(query)) return `watch ${plural}`;
  return `${name === undefined ? 'list' : 'get'} ${plural}`;
}
