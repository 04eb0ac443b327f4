// What clients post to a subresource that speaks a kind of its own.

import { badRequest } from '../answer/status.ts';
import type { Call } from '../core.ts';
import type { JsonObject, Resource } from '../parts.ts';
import { readObject } from '../request/body.ts';
import { objectAt, stringAt, withMeta } from '../rules/json.ts';
import { ofKind } from '../verbs/body-kind.ts';
import { checkName } from '../verbs/decode.ts';
import { normalized } from '../verbs/normalize.ts';
import { writeOptions } from '../verbs/options.ts';

/** Clients may leave out the kind and version of what they post. */
const VERSIONS: Readonly<Record<string, string>> = {
  TokenRequest: 'authentication.k8s.io/v1',
  Eviction: 'policy/v1',
  Scale: 'autoscaling/v1',
};

/** Kinds of which the name may be left out: the path says whose they are. */
const NAMELESS: ReadonlySet<string> = new Set(['TokenRequest']);

/** The object in the body: of this kind, and about the object of the path. */
export function bodyOfKind(call: Call, kind: string): JsonObject {
  const posted = { ...call, resource: postedKind(call, kind) };
  const sent = readObject(call.request, call.core.parts.protobuf);
  const object = ofKind(posted, isOlderForm(sent, kind) ? withoutVersion(sent) : sent, () => '');
  // Fields of a wrong type are refused, unknown ones refused or told of, as in any other body.
  normalized(posted, object, writeOptions(call, 'CreateOptions'));
  const metadata = objectAt(object, 'metadata');
  const [name, namespace] = [stringAt(metadata, 'name'), stringAt(metadata, 'namespace')];
  if (kind === 'Scale') checkName(call, object);
  else if (name !== call.path.name && !(name === '' && NAMELESS.has(kind))) {
    throw badRequest(`name in URL does not match name in ${kind} object`);
  }
  if (namespace !== '' && namespace !== call.path.namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  return withMeta(object, { namespace: call.path.namespace });
}

/** Clients that are older than the version still evict Pods. */
const isOlderForm = ({ apiVersion }: JsonObject, kind: string): boolean =>
  apiVersion === 'policy/v1beta1' && kind === 'Eviction';

const withoutVersion = ({ apiVersion: _, ...rest }: JsonObject): JsonObject => rest;

function postedKind({ resource }: Call, kind: string): Resource {
  const own = VERSIONS[kind] ?? 'v1';
  const slash = own.indexOf('/');
  const [group, version] = [own.slice(0, Math.max(slash, 0)), own.slice(slash + 1)];
  return { ...resource, group, version, kind, storageName: '', origin: 'builtin' };
}

/** The Status of something that was done and has no other answer. */
export const SUCCESS: JsonObject = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
