// OpenAPI: which document is asked for, in which form, and whether the client has it; the documents are another part's work.

import { headerTime } from '../base/clock.ts';
import type { ApiResponse } from '../kube/transport.ts';
import { bytesOf } from './answer/render.ts';
import { sha512Of, tagged } from './answer/tag.ts';
import type { Core } from './core.ts';
import type { OtherCall } from './other-paths.ts';
import type { JsonObject } from './parts.ts';
import { mediaTypes } from './request/media-types.ts';

const V2_PROTOBUF = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
/** As clients called it before a media type was known to need no `@`. */
const V2_PROTOBUF_OLD = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
const JSON_TYPE = 'application/json';
const NOT_KEPT = { 'cache-control': 'no-cache, private' } as const;
const YEAR_MS = 365 * 24 * 60 * 60 * 1000;

export function openApiAnswer(call: OtherCall, path: string): ApiResponse | undefined {
  if (call.core.parts.openApi === undefined) return undefined;
  if (path === '/openapi/v2') return v2(call);
  if (path === '/openapi/v3') return index(call.core);
  if (!path.startsWith('/openapi/v3/')) return undefined;
  const [, coreVersion, group, version] = /^\/openapi\/v3\/(?:api\/([^/]+)|apis\/([^/]+)\/([^/]+))$/.exec(path) ?? [];
  return v3(call, path, { group: group ?? '', version: coreVersion ?? version ?? '' });
}

/** The most wanted type that is one of these; JSON for whoever takes anything. `none`: no media type is named at all. */
function formOf(accepts: string | undefined, types: readonly string[]): string | 'none' | undefined {
  if (accepts === undefined || accepts === '') return JSON_TYPE;
  const wishes = mediaTypes(accepts).map(({ type }) => type);
  if (wishes.length === 0) return 'none';
  return wishes.map(wish => types.find(type => fits(wish, type))).find(type => type !== undefined);
}

/** Either half may be a star. */
function fits(wish: string, type: string): boolean {
  const halves = type.split('/');
  return wish.split('/').every((half, at) => half === '*' || half === halves[at]);
}

const empty = (status: number, headers: Readonly<Record<string, string>> = {}): ApiResponse => ({
  status,
  headers: { ...NOT_KEPT, ...headers },
  body: new Uint8Array(),
});

interface Whole {
  readonly generation: number;
  readonly json: Uint8Array;
  readonly tag: string;
  protobuf: Uint8Array | undefined;
}

/** Writing the whole document takes a second: it is kept until the resources change. */
const wholes = new WeakMap<Core, Whole>();

function wholeOf(core: Core): Whole {
  const known = wholes.get(core);
  const { generation } = core.registry;
  if (known?.generation === generation) return known;
  const json = core.parts.openApi?.v2(core.registry.all(), 'json') ?? new Uint8Array();
  const whole: Whole = { generation, json, tag: sha512Of(json), protobuf: undefined };
  wholes.set(core, whole);
  return whole;
}

function v2({ core, request }: OtherCall): ApiResponse {
  const vary = 'Accept-Encoding, Accept';
  const form = formOf(request.headers.accept, [JSON_TYPE, V2_PROTOBUF, V2_PROTOBUF_OLD]);
  if (form === undefined || form === 'none') return empty(406, { vary });
  const whole = wholeOf(core);
  const headers = { ...NOT_KEPT, vary, 'content-type': form === JSON_TYPE ? JSON_TYPE : V2_PROTOBUF };
  return tagged(request, whole.tag, { status: 200, headers, body: bytesIn(core, whole, form) });
}

function bytesIn({ parts, registry }: Core, whole: Whole, form: string): Uint8Array {
  if (form === JSON_TYPE) return whole.json;
  whole.protobuf ??= parts.openApi?.v2(registry.all(), 'protobuf') ?? new Uint8Array();
  return whole.protobuf;
}

/** Each group version with an address that changes when its document does, so that clients may keep it. */
function index({ registry }: Core): ApiResponse {
  const paths: Record<string, JsonObject> = {};
  for (const [group, versions] of registry.groups()) {
    for (const version of versions) {
      const path = group === '' ? `api/${version}` : `apis/${group}/${version}`;
      paths[path] = { serverRelativeURL: addressOf(`/openapi/v3/${path}`, registry.hashOf(group, version)) };
    }
  }
  const headers = { ...NOT_KEPT, 'content-type': 'text/plain; charset=utf-8' };
  return { status: 200, headers, body: bytesOf(JSON.stringify({ paths })) };
}

const addressOf = (path: string, hash: string): string => `${path}?hash=${hash}`;

interface Of {
  readonly group: string;
  readonly version: string;
}

function v3({ core, request, query }: OtherCall, path: string, { group, version }: Of): ApiResponse {
  const { registry, parts, clock } = core;
  const resources = registry.of(group, version);
  if (resources.length === 0) return empty(404);
  const vary = 'Accept';
  const form = formOf(request.headers.accept, [JSON_TYPE]);
  if (form !== JSON_TYPE) return empty(form === 'none' ? 200 : 406, { vary });

  const hash = registry.hashOf(group, version);
  const asked = query.get('hash') ?? '';
  const type = { vary, 'content-type': JSON_TYPE };
  if (asked !== '' && asked !== hash) {
    return empty(301, { ...type, etag: `"${hash}"`, location: addressOf(path, hash) });
  }
  const kept = { 'cache-control': 'public, immutable', expires: headerTime(clock.now() + YEAR_MS) };
  const headers = { ...NOT_KEPT, ...type, ...(asked === '' ? {} : kept) };
  const document = (): Uint8Array => bytesOf(JSON.stringify(parts.openApi?.v3(group, version, resources) ?? {}));
  const isKnown = request.headers['if-none-match'] === `"${hash}"`;
  return tagged(request, hash, { status: 200, headers, body: isKnown ? new Uint8Array() : document() });
}
