// serviceaccounts/token: a bound token, made by the part that signs.

import { kubeTime } from '../../base/clock.ts';
import type { ApiResponse } from '../../kube/transport.ts';
import { presentPlain } from '../answer/present.ts';
import { notFound, notImplemented, Refusal } from '../answer/status.ts';
import type { Call } from '../core.ts';
import type { JsonObject, Resource } from '../parts.ts';
import { objectAt, stringAt } from '../rules/json.ts';
import { admittedBody } from '../verbs/judged.ts';
import { writeOptions } from '../verbs/options.ts';
import { trackedAs } from '../verbs/ownership.ts';
import { rowOrNotFound } from '../verbs/read.ts';
import { bodyOfKind } from './body.ts';

/** What a token can be bound to: with the object the token ends. */
const BINDABLE: Readonly<Record<string, string>> = { Pod: 'pods', Secret: 'secrets', Node: 'nodes' };

export async function requestToken(call: Call): Promise<ApiResponse> {
  const { tokens } = call.core.parts;
  if (tokens === undefined) throw notImplemented('this server issues no service account tokens');
  // A node may ask for tokens of its own Pods only: that rule is admission's (safe-18).
  const options = writeOptions(call, 'CreateOptions');
  const asked = trackedAs(call, tokenRequests(call), withDefaults(bodyOfKind(call, 'TokenRequest')), options);
  const request = await admittedBody(call, asked, options);
  const account = rowOrNotFound(call).object;
  const spec = objectAt(request, 'spec');
  const answer = await tokens.issue({ serviceAccount: account, spec, bound: boundTo(call, spec) });
  if ('refused' in answer) throw new Refusal(answer.refused);
  const { token, expirationTimestamp } = answer;
  const status = { token, expirationTimestamp };
  const given = { boundObjectRef: null, ...(answer.spec ?? spec) };
  const { apiVersion = '', kind = '' } = request;
  const filled = { kind, apiVersion, metadata: metadataOf(call, account, request), spec: given, status };
  return presentPlain(call, filled, 201);
}

const tokenRequests = ({ resource }: Call): Resource => ({
  ...resource,
  group: 'authentication.k8s.io',
  version: 'v1',
  kind: 'TokenRequest',
  schema: {},
});

const LIFETIME_SECONDS = 3600;

/** A token lives an hour unless the request says otherwise. */
const withDefaults = (request: JsonObject): JsonObject => ({
  ...request,
  spec: { expirationSeconds: LIFETIME_SECONDS, ...objectAt(request, 'spec') },
});

function metadataOf(call: Call, account: JsonObject, request: JsonObject): JsonObject {
  const { name, namespace } = call.path;
  const uid = stringAt(objectAt(account, 'metadata'), 'uid');
  const creationTimestamp = kubeTime(call.core.clock.now());
  return { ...objectAt(request, 'metadata'), name, namespace, uid, creationTimestamp };
}

function boundTo(call: Call, spec: JsonObject): JsonObject | undefined {
  const reference = objectAt(spec, 'boundObjectRef');
  const storage = BINDABLE[stringAt(reference, 'kind')];
  if (storage === undefined) return undefined;
  const name = stringAt(reference, 'name');
  const namespace = storage === 'nodes' ? '' : call.path.namespace;
  const row = call.core.store.get({ storage, namespace, name });
  if (row === undefined) throw notFound({ group: '', resource: storage, name });
  return row.object;
}
