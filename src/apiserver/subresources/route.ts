// Subresources: which of them this server has, and who answers.

import type { ServedResponse } from '../access.ts';
import {
  methodNotAllowed,
  noSuchResource,
  notFound,
  notImplemented,
  notSupported,
  type Refusal,
} from '../answer/status.ts';
import { type Call, subjectOf } from '../core.ts';
import type { Kubelets } from '../kubelets.ts';
import { partWrittenBy } from '../objects/subresource-parts.ts';
import { patchObject } from '../verbs/patch.ts';
import { getObject, rowOrNotFound } from '../verbs/read.ts';
import { updateObject } from '../verbs/update.ts';
import { bindPod } from './binding.ts';
import { connectAttach, connectExec, connectPort } from './connect.ts';
import { evictPod } from './eviction.ts';
import { readLog } from './log.ts';
import { proxied } from './proxy/pass.ts';
import { getScale, patchScale, updateScale } from './scale.ts';
import { requestToken } from './token.ts';

type Answer = (call: Call) => ServedResponse | Promise<ServedResponse>;
type Verbs = Readonly<Record<string, Answer>>;
type OnNode = (call: Call, kubelets: Kubelets) => ServedResponse | Promise<ServedResponse>;

/** A conversation begins with a GET (WebSocket) or a POST (SPDY). */
const conversation = (answer: Answer): Readonly<Record<string, OnNode>> => ({ get: answer, create: answer });

/** Every verb: what is asked is the other server's affair. */
const everyVerb = (answer: OnNode): Readonly<Record<string, OnNode>> => ({
  // Of an OPTIONS.
  '': answer,
  get: answer,
  create: answer,
  update: answer,
  patch: answer,
  delete: answer,
});

/** Answered by the kubelet of a Node. */
const ON_NODE: Readonly<Record<string, Readonly<Record<string, OnNode>>>> = {
  'pods/log': { get: readLog },
  'pods/exec': conversation(connectExec),
  'pods/attach': conversation(connectAttach),
  'pods/portforward': conversation(connectPort),
  'nodes/proxy': everyVerb(proxied),
  'pods/proxy': everyVerb(proxied),
  'services/proxy': everyVerb(proxied),
};

/** Those that are not simply a part of their object. */
const OWN: Readonly<Record<string, Verbs>> = {
  binding: { create: bindPod },
  eviction: { create: evictPod },
  scale: { get: getScale, update: updateScale, patch: patchScale },
  token: { create: requestToken },
};

/** A part of the object: read whole, written each with its own part. */
const PART: Verbs = { get: getObject, update: updateObject, patch: patchObject };

/** Whose verbs are those that the resource's own tables name: nothing else is read there. */
const WRITTEN_ONLY: ReadonlySet<string> = new Set(['finalize']);

export async function answerSubresource(call: Call): Promise<ServedResponse> {
  const { resource, path, attributes } = call;
  if (!resource.subresources.includes(path.subresource)) throw noSuchSubresource(call);
  // Custom resources overlook what follows.
  if (path.rest !== '' && path.subresource !== 'proxy' && resource.origin === 'builtin') throw noSuchResource();
  const onNode = ON_NODE[`${resource.storageName}/${path.subresource}`];
  if (onNode !== undefined) return answerOnNode(call, onNode[attributes.verb]);
  const verbs = OWN[path.subresource] ?? (partWrittenBy(path.subresource) === undefined ? {} : PART);
  const answer =
    WRITTEN_ONLY.has(path.subresource) && attributes.verb !== 'update' ? undefined : verbs[attributes.verb];
  if (answer !== undefined) return answer(call);
  const { group, plural } = resource;
  throw resource.origin === 'custom' ? notSupported(attributes.verb, { group, resource: plural }) : methodNotAllowed();
}

/** Custom resources answer as if the object were not there. */
function noSuchSubresource(call: Call): Refusal {
  return call.resource.origin === 'custom' ? notFound(subjectOf(call)) : noSuchResource();
}

async function answerOnNode(call: Call, answer: OnNode | undefined): Promise<ServedResponse> {
  const { kubelets } = call.core.parts;
  if (answer === undefined) throw methodNotAllowed();
  return kubelets === undefined ? refuseConnection(call) : answer(call, kubelets);
}

function refuseConnection(call: Call): never {
  rowOrNotFound(call);
  const what = `${call.resource.plural}/${call.path.subresource}`;
  throw notImplemented(`${what} is not available: this API server does not connect there`);
}
