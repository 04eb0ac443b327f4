// Subresources: which of them this server has, and who answers.

import type { ApiResponse } from '../kube/transport.ts';
import { methodNotAllowed, noSuchResource, notImplemented } from './answer/status.ts';
import type { Call } from './core.ts';
import { patchObject } from './verbs/patch.ts';
import { getObject, rowOrNotFound } from './verbs/read.ts';
import { updateObject } from './verbs/update.ts';

type Answer = (call: Call) => ApiResponse | Promise<ApiResponse>;

/** Reached by a connection to the node, which this server does not make. */
const CONNECTIONS: ReadonlySet<string> = new Set(['log', 'exec', 'attach', 'portforward', 'proxy']);

/** Read and written like the object itself, each with its own part of it. */
const WHOLE: Readonly<Record<string, Answer>> = { get: getObject, update: updateObject, patch: patchObject };

export async function answerSubresource(call: Call): Promise<ApiResponse> {
  const { resource, path, attributes } = call;
  if (!resource.subresources.includes(path.subresource)) throw noSuchResource();
  if (CONNECTIONS.has(path.subresource)) return refuseConnection(call);
  const answer = WHOLE[attributes.verb];
  if (answer === undefined) throw methodNotAllowed();
  return answer(call);
}

function refuseConnection(call: Call): never {
  rowOrNotFound(call);
  const { plural } = call.resource;
  throw notImplemented(
    `${plural}/${call.path.subresource} is not available: this server has no way to the node of the Pod yet`,
  );
}
