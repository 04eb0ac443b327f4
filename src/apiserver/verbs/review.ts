// Kinds that are asked or done and not stored: a create is answered by the part that knows.

import type { ApiResponse } from '../../kube/transport.ts';
import { presentObject } from '../answer/present.ts';
import { badRequest, noSuchResource, notImplemented } from '../answer/status.ts';
import type { Call } from '../core.ts';
import { objectAt, stringAt } from '../rules/json.ts';
import { bindPod } from '../subresources/binding.ts';
import { decodedBody } from './decode.ts';
import { normalized } from './normalize.ts';
import { writeOptions } from './options.ts';
import { tracked } from './ownership.ts';

export async function answerVirtual(call: Call): Promise<ApiResponse> {
  return call.resource.plural === 'bindings' ? bindNamed(call) : reviewed(call);
}

/** The old way to bind a Pod: `POST bindings`, with the Pod's name in the body. */
async function bindNamed(call: Call): Promise<ApiResponse> {
  const name = stringAt(objectAt(decodedBody(call).object, 'metadata'), 'name');
  if (name === '') throw badRequest('Name parameter required.');
  const pods = call.core.registry.find('', 'v1', 'pods') ?? call.resource;
  return bindPod({ ...call, resource: pods, path: { ...call.path, name, subresource: 'binding' } });
}

async function reviewed(call: Call): Promise<ApiResponse> {
  const { resource, core, identity, path } = call;
  const review = core.parts.reviews?.get(`${resource.plural}.${resource.group}`);
  if (review === undefined) throw notImplemented(`${resource.kind} is not answered by this server`);
  if (resource.namespaced && path.namespace === '') throw noSuchResource();
  const options = writeOptions(call, 'CreateOptions');
  const { object: said, duplicates } = decodedBody(call);
  const asked = tracked(call, undefined, normalized(call, said, options, duplicates), options);
  const object = await review({ resource, object: asked, namespace: path.namespace, identity });
  return presentObject(call, object, 201);
}
