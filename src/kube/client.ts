// The Kubernetes API as typed calls over any transport: every call is one live request (a list: its pages).

import { seconds } from '../base/clock.ts';
import type { Api, DeleteOptions, ListOptions, PatchOptions } from './api.ts';
import { isServed } from './discovery.ts';
import { isAbsence } from './errors.ts';
import { acceptedFor, type Kind, pathOf } from './kind.ts';
import { listAll } from './listing.ts';
import type { KubeObject, ObjectKey } from './object.ts';
import { keyOf } from './object.ts';
import { ask, askJson, type Caller, type Question } from './request.ts';
import type { Transport } from './transport.ts';

/** `timeoutMs` is how long an answer may take, 30 s unless told otherwise. */
export type ClientOptions = Pick<Caller, 'clock' | 'identity'> & Partial<Pick<Caller, 'userAgent' | 'timeoutMs'>>;

const PATCH_TYPES = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

/** The caller that a client of these options is: what lists and watches ask with. */
export function callerOf(transport: Transport, options: ClientOptions): Caller {
  return { userAgent: 'pippin', timeoutMs: seconds(30), ...options, transport };
}

/** The API behind `transport`. Errors: ApiError when the server refused, Unavailable when no answer came. */
export function client(transport: Transport, options: ClientOptions): Api {
  return apiOf(callerOf(transport, options));
}

function apiOf(caller: Caller): Api {
  const get = <T extends KubeObject>(kind: Kind<T>, key: ObjectKey): Promise<T> =>
    askJson(caller, { method: 'GET', path: pathOf(kind, key), accept: acceptedFor(kind) });
  return {
    get,
    find: (kind, key) => get(kind, key).catch((error: unknown) => undefinedIfAbsent(error, kind, key)),
    list: (kind, options: ListOptions = {}) => listAll(caller, kind, options),
    create: (kind, object) => {
      const { namespace } = object.metadata;
      const path = pathOf(kind, namespace === undefined ? {} : { namespace });
      return askJson(caller, { method: 'POST', path, body: object });
    },
    createSub: (kind, key, subresource, body) =>
      askJson(caller, { method: 'POST', path: pathOf(kind, key, subresource), body }),
    update: (kind, object, subresource) =>
      askJson(caller, { method: 'PUT', path: pathOf(kind, keyOf(object), subresource), body: object }),
    patch: (kind, key, body, patch = {}) => askJson(caller, patchQuestion(kind, key, body, patch)),
    delete: async (kind, key, how = {}) => {
      await ask(caller, { method: 'DELETE', path: pathOf(kind, key), body: deleteBody(how) });
    },
    serves: kind => isServed(caller, kind),
    as: identity => apiOf({ ...caller, identity }),
  };
}

/** safe-1: only a NotFound that names this very resource and name is absence; anything else is thrown on. */
function undefinedIfAbsent(error: unknown, kind: Kind, key: ObjectKey): undefined {
  if (!isAbsence(error, kind.plural, key.name)) throw error;
  if ((error.status?.details?.group ?? '') !== kind.group) throw error;
  return undefined;
}

function patchQuestion(kind: Kind, key: ObjectKey, body: unknown, patch: PatchOptions): Question {
  return {
    method: 'PATCH',
    path: pathOf(kind, key, patch.subresource),
    query: { fieldManager: patch.fieldManager, force: patch.force === true ? 'true' : undefined },
    contentType: PATCH_TYPES[patch.type ?? 'merge'],
    body,
  };
}

function deleteBody(how: DeleteOptions): unknown {
  const { uid, resourceVersion } = how;
  return {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    gracePeriodSeconds: how.graceSeconds,
    propagationPolicy: how.propagation,
    preconditions: uid === undefined && resourceVersion === undefined ? undefined : { uid, resourceVersion },
  };
}
