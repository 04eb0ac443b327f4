// Subresources: which of them this server has, and who answers.

import type { ApiResponse } from '../../kube/transport.ts';
import { methodNotAllowed, noSuchResource, notFound, notImplemented, type Refusal } from '../answer/status.ts';
import { type Call, subjectOf } from '../core.ts';
import { partWrittenBy } from '../objects/subresource-parts.ts';
import { patchObject } from '../verbs/patch.ts';
import { getObject, rowOrNotFound } from '../verbs/read.ts';
import { updateObject } from '../verbs/update.ts';
import { bindPod } from './binding.ts';
import { evictPod } from './eviction.ts';
import { getScale, patchScale, updateScale } from './scale.ts';
import { requestToken } from './token.ts';

type Answer = (call: Call) => ApiResponse | Promise<ApiResponse>;
type Verbs = Readonly<Record<string, Answer>>;

/** Reached by a connection to the node, which this server does not make. */
const CONNECTIONS: ReadonlySet<string> = new Set(['log', 'exec', 'attach', 'portforward', 'proxy']);

/** Those that are not simply a part of their object. */
const OWN: Readonly<Record<string, Verbs>> = {
  binding: { create: bindPod },
  eviction: { create: evictPod },
  scale: { get: getScale, update: updateScale, patch: patchScale },
  token: { create: requestToken },
};

/** A part of the object: read whole, written each with its own part. */
const PART: Verbs = { get: getObject, update: updateObject, patch: patchObject };

export async function answerSubresource(call: Call): Promise<ApiResponse> {
  const { resource, path, attributes } = call;
  if (!resource.subresources.includes(path.subresource)) throw noSuchSubresource(call);
  if (CONNECTIONS.has(path.subresource)) return refuseConnection(call);
  const verbs = OWN[path.subresource] ?? (partWrittenBy(path.subresource) === undefined ? {} : PART);
  const answer = verbs[attributes.verb];
  if (answer === undefined) throw methodNotAllowed();
  return answer(call);
}

/** Custom resources answer as if the object were not there. */
function noSuchSubresource(call: Call): Refusal {
  return call.resource.origin === 'custom' ? notFound(subjectOf(call)) : noSuchResource();
}

function refuseConnection(call: Call): never {
  rowOrNotFound(call);
  const what = `${call.resource.plural}/${call.path.subresource}`;
  throw notImplemented(`${what} is not available: this API server does not connect to nodes yet`);
}
