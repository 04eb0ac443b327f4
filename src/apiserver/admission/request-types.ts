// The types of what expressions of admission see besides the objects: the request, and the Namespace that it is in.

import type { Environment } from '@marcbachmann/cel-js';
import type { JsonObject } from '../parts.ts';
import { celTimes } from '../schema/cel/environment.ts';
import type { TypeFields } from '../schema/cel/type-checks.ts';
import { type DeclaredTypes, declareTypes } from '../schema/cel/types.ts';
import { structuralOf } from '../schema/structural.ts';

const TEXT = { type: 'string' };
const WHOLE = { type: 'integer' };
const TIME = { type: 'string', format: 'date-time' };
const TEXTS = { type: 'array', items: TEXT };
const TEXT_MAP = { type: 'object', additionalProperties: TEXT };
/** Options differ by what is asked for, so nothing is known of them. */
const ANYTHING = { 'x-kubernetes-int-or-string': true };

const object = (properties: JsonObject): JsonObject => ({ type: 'object', properties });

const KIND = object({ group: TEXT, version: TEXT, kind: TEXT });
const RESOURCE = object({ group: TEXT, version: TEXT, resource: TEXT });
const USER = object({
  username: TEXT,
  uid: TEXT,
  groups: TEXTS,
  extra: { type: 'object', additionalProperties: TEXTS },
});

const REQUEST = object({
  kind: KIND,
  resource: RESOURCE,
  subResource: TEXT,
  requestKind: KIND,
  requestResource: RESOURCE,
  requestSubResource: TEXT,
  name: TEXT,
  namespace: TEXT,
  operation: TEXT,
  userInfo: USER,
  dryRun: { type: 'boolean' },
  options: ANYTHING,
});

const NAMESPACE = object({
  metadata: object({
    name: TEXT,
    generateName: TEXT,
    namespace: TEXT,
    labels: TEXT_MAP,
    annotations: TEXT_MAP,
    UID: TEXT,
    creationTimestamp: TIME,
    deletionGracePeriodSeconds: WHOLE,
    deletionTimestamp: TIME,
    generation: WHOLE,
    resourceVersion: TEXT,
    finalizers: TEXTS,
  }),
  spec: object({ finalizers: TEXTS }),
  status: object({
    phase: TEXT,
    conditions: {
      type: 'array',
      items: object({ type: TEXT, status: TEXT, reason: TEXT, message: TEXT, lastTransitionTime: TIME }),
    },
  }),
});

export interface RequestTypes {
  readonly request: DeclaredTypes;
  readonly namespace: DeclaredTypes;
  /** Of both. */
  readonly fields: TypeFields;
}

export function declareRequestTypes(environment: Environment): RequestTypes {
  const declared = (schema: JsonObject, name: string): DeclaredTypes =>
    declareTypes(environment, structuralOf(schema), celTimes(), `kubernetes.${name}`);
  const request = declared(REQUEST, 'AdmissionRequest');
  const namespace = declared(NAMESPACE, 'Namespace');
  return { request, namespace, fields: new Map([...request.fields, ...namespace.fields]) };
}
