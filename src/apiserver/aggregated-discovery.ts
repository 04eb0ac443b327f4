// The aggregated form of discovery, all groups in one document: who asks for it, and what is kept of it.

import type { ApiResponse } from '../kube/transport.ts';
import { serialise } from './answer/render.ts';
import { sha512Of, tagged } from './answer/tag.ts';
import type { Core } from './core.ts';
import { aggregated } from './discovery.ts';
import type { OtherCall } from './other-paths.ts';
import type { JsonObject } from './parts.ts';
import { acceptRoute, type Format, MEDIA_TYPES, wantedAggregation } from './request/accept.ts';

type Root = '/api' | '/apis';

/** Undefined: the client wants the old form. */
export function aggregatedAnswer({ core, request }: OtherCall, root: Root): ApiResponse | undefined {
  const { accept } = request.headers;
  const { protobuf } = core.parts;
  const format = wantedAggregation(
    accept ?? '',
    protobuf === undefined ? ['json', 'yaml'] : ['json', 'yaml', 'protobuf'],
  );
  if (format === undefined) return undefined;
  // That of the core group is found by the media types of its answer.
  if (root === '/api') acceptRoute(accept, Object.values(MEDIA_TYPES));
  const document = documentOf(core, root);
  const body = document.bodies.get(format) ?? serialise(document.object, format, protobuf);
  document.bodies.set(format, body);
  const type = `${MEDIA_TYPES[format]};g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList`;
  const headers = { 'content-type': type, 'cache-control': 'public', vary: 'Accept' };
  return tagged(request, document.tag, { status: 200, headers, body });
}

interface Document {
  readonly object: JsonObject;
  /** One for all forms, as on the real server: it says that they vary. */
  readonly tag: string;
  readonly bodies: Map<Format, Uint8Array>;
}

interface Kept {
  readonly generation: number;
  readonly byRoot: Map<Root, Document>;
}

/** Written once for each state of what is served: every start of kubectl asks for it. */
const kept = new WeakMap<Core, Kept>();

function documentOf(core: Core, root: Root): Document {
  const { generation } = core.registry;
  const known = kept.get(core);
  const { byRoot } = known?.generation === generation ? known : { byRoot: new Map<Root, Document>() };
  kept.set(core, { generation, byRoot });
  const document = byRoot.get(root) ?? written(core, root);
  byRoot.set(root, document);
  return document;
}

function written({ registry }: Core, root: Root): Document {
  const object = aggregated(registry, root, 'v2');
  const json = serialise(object, 'json');
  return { object, tag: sha512Of(json), bodies: new Map([['json', json]]) };
}
