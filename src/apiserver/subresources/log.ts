// pods/log: what the kubelet of the Pod's Node has of a container's output, streamed as it comes.

import { messageOf } from '../../base/errors.ts';
import type { ApiResponse } from '../../kube/transport.ts';
import { badRequest, internalError, nodeRefused, notAcceptable, type Refusal, unexpected } from '../answer/status.ts';
import type { Call } from '../core.ts';
import type { KubeletRequest, Kubelets } from '../kubelets.ts';
import { MEDIA_TYPES } from '../request/accept.ts';
import { truthy } from '../request/list-options.ts';
import { objectAt, stringAt } from '../rules/json.ts';
import { rowOrNotFound } from '../verbs/read.ts';
import { containerOf } from './containers.ts';
import { kubeletAddressOf } from './kubelet-address.ts';
import { kubeletLogQuery } from './log-options.ts';

const EMPTY = new Uint8Array();
const CACHE = { 'cache-control': 'no-cache, private' } as const;

export async function readLog(call: Call, kubelets: Kubelets): Promise<ApiResponse> {
  checkAccepts(call);
  const query = kubeletLogQuery(call);
  const pod = rowOrNotFound(call).object;
  const container = containerOf(pod, call.query.get('container') ?? '');
  const node = stringAt(objectAt(pod, 'spec'), 'nodeName');
  if (node === '') return { status: 204, headers: CACHE, body: EMPTY };
  const { namespace, name } = call.path;
  const answer = await asked(kubelets, {
    ...kubeletAddressOf(call, node),
    method: 'GET',
    path: `/containerLogs/${namespace}/${name}/${container}${query === '' ? '' : `?${query}`}`,
    headers: {},
    ...(truthy(call.query.get('insecureSkipTLSVerifyBackend')) ? { trusts: 'any' } : {}),
  });
  if (answer.status > 206) throw await refusedBy(answer, call);
  return { ...answer, status: 200, headers: { ...CACHE, 'content-type': 'text/plain' } };
}

/** Any form of an object will do too: clients ask for one out of habit. */
function checkAccepts({ request }: Call): void {
  const wanted = request.headers.accept ?? '';
  const known = ['text/plain', 'text/*', '*/*', 'application/*', ...Object.values(MEDIA_TYPES)];
  const types = wanted.split(',').map(part => part.split(';')[0]?.trim());
  if (wanted === '' || types.some(type => type !== undefined && known.includes(type))) return;
  throw notAcceptable(['text/plain', ...Object.values(MEDIA_TYPES)], 'plain');
}

async function asked(kubelets: Kubelets, request: KubeletRequest): Promise<ApiResponse> {
  try {
    return await kubelets.ask(request);
  } catch (error) {
    const { host, port, path } = request;
    throw unexpected(`Get "https://${host}:${port}${path}": ${messageOf(error)}`);
  }
}

/** In the kubelet's words where it is plain whose fault it is. */
async function refusedBy(answer: ApiResponse, call: Call): Promise<Refusal> {
  const text = await wholeText(answer);
  if (answer.status === 500) return internalError(text);
  if (answer.status === 400) return badRequest(text);
  return nodeRefused(answer.status, text, { group: '', resource: 'pods/log', name: call.path.name });
}

const MOST_WORDS_BYTES = 50_000;

async function wholeText({ body, stream }: ApiResponse): Promise<string> {
  let text = Buffer.from(body).toString();
  while (stream !== undefined && text.length < MOST_WORDS_BYTES) {
    const bytes = await stream.next();
    if (bytes === undefined) break;
    text += Buffer.from(bytes).toString();
  }
  stream?.close('the refusal is read');
  return text;
}
