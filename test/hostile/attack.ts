// Sends hostile requests to an API in this process, and looks at what they did to it.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { realKeys } from '../../src/adapters/keys/index.ts';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { systemRandom } from '../../src/adapters/system/random.ts';
import { type InProcessApi, inProcessApi } from '../../src/fleet/api.ts';
import type { ApiRequest, ApiResponse } from '../../src/kube/transport.ts';
import { type HostileRequest, hostileRequest } from './requests.ts';

const BATCH = 500;

export interface Attack {
  readonly requests: number;
  readonly seed: number;
  /** Told after each batch. */
  readonly progress?: (sent: number) => void;
}

export interface Aftermath {
  /** How often each code was answered. */
  readonly codes: ReadonlyMap<number, number>;
  /** Answers that the real server would not give, each with the request that caused it. */
  readonly broken: readonly string[];
  /** Heap after the first tenth and after the last request, both collected. */
  readonly heapBytes: { readonly early: number; readonly late: number };
  /** Whether the API still says that it is well. */
  readonly ready: boolean;
}

export async function attack({ requests, seed, progress }: Attack): Promise<Aftermath> {
  const tokenKey = await realKeys.pair();
  const api = await inProcessApi({
    clock: systemClock,
    random: systemRandom,
    access: { cryptography: realKeys, tokenKey },
  });
  await prepare(api);
  const codes = new Map<number, number>();
  const broken: string[] = [];
  let early = 0;
  for (let sent = 0; sent < requests; sent += BATCH) {
    for (const each of fc.sample(hostileRequest, { numRuns: Math.min(BATCH, requests - sent), seed: seed + sent })) {
      const problem = await send(api, each, codes);
      if (problem !== undefined) broken.push(problem);
    }
    if (early === 0 && sent + BATCH >= requests / 10) early = heapNow();
    progress?.(Math.min(sent + BATCH, requests));
  }
  const ready = (await ask(api, { method: 'GET', path: '/readyz' })).status === 200;
  const late = heapNow();
  await api.close();
  return { codes, broken, heapBytes: { early, late }, ready };
}

/** What went wrong, if something did. */
async function send(
  api: InProcessApi,
  request: HostileRequest,
  codes: Map<number, number>,
): Promise<string | undefined> {
  const { method, path, type, accept, query, body, authorization, impersonate } = request;
  const headers = {
    'content-type': type,
    accept,
    ...(authorization === '' ? {} : { authorization }),
    ...(impersonate === '' ? {} : { 'impersonate-user': impersonate }),
  };
  try {
    const answer = await ask(api, { method, path, query, headers, body: Buffer.from(body, 'latin1') });
    answer.stream?.close('seen');
    codes.set(answer.status, (codes.get(answer.status) ?? 0) + 1);
    const said = Buffer.from(answer.body).toString();
    // What the real server answers 500 to bears no reason; what broke in this one says so.
    return said.includes('Internal error occurred') ? `${JSON.stringify(request)}: ${said.slice(0, 500)}` : undefined;
  } catch (error) {
    return `${JSON.stringify(request)}: ${String(error)}`;
  }
}

function ask(
  api: InProcessApi,
  request: Partial<ApiRequest> & Pick<ApiRequest, 'method' | 'path'>,
): Promise<ApiResponse> {
  const whole = { query: '', headers: {}, ...request };
  const isForged = whole.headers.authorization !== undefined;
  // Credentials of its own are judged; without any the request is the administrator's.
  return isForged ? api.api.transport(whole) : api.transport(whole);
}

/** Things for the requests to find. */
async function prepare(api: InProcessApi): Promise<void> {
  const make = async (path: string, object: object): Promise<void> => {
    const body = Buffer.from(JSON.stringify(object));
    const { status } = await ask(api, { method: 'POST', path, headers: { 'content-type': 'application/json' }, body });
    if (status !== 201) throw new Error(`${path} answered ${status}`);
  };
  const spec = { containers: [{ name: 'c', image: 'i' }] };
  await make('/api/v1/namespaces/default/pods', { metadata: { name: 'p' }, spec });
  await make('/apis/apps/v1/namespaces/default/deployments', {
    metadata: { name: 'd' },
    spec: { selector: { matchLabels: { a: 'b' } }, template: { metadata: { labels: { a: 'b' } }, spec } },
  });
  const properties = { spec: { type: 'object', properties: { replicas: { type: 'integer' } } } };
  const schema = { openAPIV3Schema: { type: 'object', properties } };
  await make('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: 'gadgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'gadgets', kind: 'Gadget' },
      versions: [{ name: 'v1', served: true, storage: true, schema, subresources: { status: {} } }],
    },
  });
}

function heapNow(): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
  return process.memoryUsage().heapUsed;
}
