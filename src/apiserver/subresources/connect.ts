// pods/exec, attach and portforward: a connection that is checked here and then carried on to the kubelet as it is.

import { authorizeAs, type ServedResponse } from '../access.ts';
import { badRequest } from '../answer/status.ts';
import type { Call } from '../core.ts';
import type { JsonObject } from '../parts.ts';
import { truthy } from '../request/list-options.ts';
import { objectAt, stringAt } from '../rules/json.ts';
import { rowOrNotFound } from '../verbs/read.ts';
import { containerOf } from './containers.ts';
import { kubeletAddressOf } from './kubelet-address.ts';

/** How the query names a stream, and how the kubelet's does. */
const STREAMS = { stdin: 'input', stdout: 'output', stderr: 'error', tty: 'tty' } as const;

export function connectExec(call: Call): ServedResponse {
  return carriedOn(call, pod => {
    const query = streamsOf(call.query);
    for (const word of call.query.getAll('command')) query.append('command', word);
    return { path: `exec/${inContainer(call, pod)}`, query };
  });
}

export function connectAttach(call: Call): ServedResponse {
  return carriedOn(call, pod => ({ path: `attach/${inContainer(call, pod)}`, query: streamsOf(call.query) }));
}

export function connectPort(call: Call): ServedResponse {
  return carriedOn(call, () => {
    const ports = call.query.getAll('ports').map(portOf);
    const query = new URLSearchParams(ports.length === 0 ? {} : { port: ports.join(',') });
    return { path: `portForward/${call.path.namespace}/${call.path.name}`, query };
  });
}

interface Onward {
  readonly path: string;
  readonly query: URLSearchParams;
}

function carriedOn(call: Call, onward: (pod: JsonObject) => Onward): ServedResponse {
  if (call.query.has('dryRun')) throw badRequest('dryRun is not supported');
  // A WebSocket begins with a GET, which must not let in whoever may only look.
  authorizeAs(call.core, call.attributes, 'create');
  const pod = rowOrNotFound(call).object;
  const { path, query } = onward(pod);
  const node = stringAt(objectAt(pod, 'spec'), 'nodeName');
  if (node === '') throw badRequest(`pod ${call.path.name} does not have a host assigned`);
  const address = kubeletAddressOf(call, node);
  if (!asksToUpgrade(call)) throw badRequest('Upgrade request required');
  query.sort();
  const text = query.toString();
  return {
    status: 101,
    headers: {},
    body: new Uint8Array(),
    onward: { ...address, method: call.request.method, path: `/${path}${text === '' ? '' : `?${text}`}`, headers: {} },
  };
}

export const asksToUpgrade = ({ request: { headers } }: Call): boolean =>
  /upgrade/i.test(headers.connection ?? '') && (headers.upgrade ?? '') !== '';

const inContainer = (call: Call, pod: JsonObject): string =>
  `${call.path.namespace}/${call.path.name}/${containerOf(pod, call.query.get('container') ?? '')}`;

function streamsOf(asked: URLSearchParams): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, word] of Object.entries(STREAMS)) {
    if (asked.has(name) && truthy(asked.get(name))) query.set(word, '1');
  }
  return query;
}

function portOf(text: string): number {
  if (/^[+-]?\d+$/.test(text)) return Number(text);
  throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
}
