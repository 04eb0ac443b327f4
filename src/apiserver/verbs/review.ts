// Kinds that are asked and not stored: a create is answered by the part that knows.

import type { ApiResponse } from '../../kube/transport.ts';
import { presentObject } from '../answer/present.ts';
import { notImplemented } from '../answer/status.ts';
import type { Call } from '../core.ts';
import { decodedBody } from './decode.ts';

export async function reviewed(call: Call): Promise<ApiResponse> {
  const { resource, core, identity, path } = call;
  const review = core.parts.reviews?.get(`${resource.plural}.${resource.group}`);
  if (review === undefined) throw notImplemented(`${resource.kind} is not answered by this server`);
  const object = await review({ resource, object: decodedBody(call), namespace: path.namespace, identity });
  return presentObject(call, object, 201);
}
