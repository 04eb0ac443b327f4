// The kinds that are asked, not stored: who am I, may I, may they, what may I, whose token is this.

import { type Clock, kubeTime } from '../../base/clock.ts';
import type { Identity } from '../../kube/transport.ts';
import { badRequest, invalid } from '../answer/status.ts';
import type { Authorizer, FieldError, Json, JsonObject, Review } from '../parts.ts';
import { invalid as invalidValue } from '../schema/field-errors.ts';
import { accessAttributes } from './access-attributes.ts';
import type { TokenReader } from './authenticate.ts';
import { objectAt, textAt, textsAt } from './fields.ts';
import { nodeNameOf } from './node-name.ts';
import type { RbacSnapshot } from './rbac-snapshot.ts';
import { leftOut, selectorErrors } from './review-selectors.ts';
import { rulesHeld } from './rules-held.ts';

interface ReviewWorld {
  readonly authorize: Authorizer;
  readonly snapshot: () => RbacSnapshot;
  readonly readToken: TokenReader;
  /** Audiences of a TokenReview that names none. */
  readonly audiences: readonly string[];
  readonly clock: Clock;
}

type Call = Parameters<Review>[0];

/** By `plural.group`, as `ApiParts.reviews` wants them. */
export function reviews(world: ReviewWorld): ReadonlyMap<string, Review> {
  const answers: Readonly<Record<string, (call: Call) => JsonObject>> = {
    'selfsubjectaccessreviews.authorization.k8s.io': call => access(world, call, call.identity),
    'subjectaccessreviews.authorization.k8s.io': call => access(world, call, namedIn(call.object)),
    'localsubjectaccessreviews.authorization.k8s.io': call => access(world, call, namedIn(call.object)),
    'selfsubjectrulesreviews.authorization.k8s.io': call => rules(world, call),
    'selfsubjectreviews.authentication.k8s.io': call => self(world, call),
    'tokenreviews.authentication.k8s.io': call => token(world, call),
  };
  // An answer that throws must become a rejected promise, not an exception of the caller's.
  return new Map(Object.entries(answers).map(([name, answer]) => [name, async call => answer(call)]));
}

function access(world: ReviewWorld, call: Call, who: Identity): JsonObject {
  const { object, resource } = call;
  const errors = accessErrors(call);
  if (errors.length > 0) throw invalid({ group: resource.group, resource: '', name: '' }, errors);

  const verdict = world.authorize(accessAttributes(who, objectAt(object, 'spec') ?? {}));
  const reason = verdict.reason ?? '';
  const evaluationError = leftOut(objectAt(object, 'spec', 'resourceAttributes'));
  const status = {
    allowed: verdict.allowed,
    ...(reason === '' ? {} : { reason }),
    ...(evaluationError === '' ? {} : { evaluationError }),
  };
  return { ...object, status };
}

function accessErrors({ object, resource, namespace }: Call): readonly FieldError[] {
  const onResource = objectAt(object, 'spec', 'resourceAttributes');
  const onPath = objectAt(object, 'spec', 'nonResourceAttributes');
  const path = { Path: textAt(onPath, 'path'), Verb: textAt(onPath, 'verb') };
  const isLocal = resource.plural === 'localsubjectaccessreviews';
  return [
    ...(onResource !== undefined && onPath !== undefined
      ? [invalidValue('spec.nonResourceAttributes', path, 'cannot be specified in combination with resourceAttributes')]
      : []),
    ...(onResource === undefined && onPath === undefined
      ? [
          wrong(
            'spec.resourceAttributes',
            'null',
            'exactly one of nonResourceAttributes or resourceAttributes must be specified',
          ),
        ]
      : []),
    ...subjectErrors(object, resource.plural),
    ...selectorErrors(onResource),
    ...metadataErrors(object, isLocal ? 'namespace' : 'cluster'),
    ...(isLocal && onResource !== undefined && textAt(onResource, 'namespace') !== namespace
      ? [
          wrong(
            'spec.resourceAttributes.namespace',
            JSON.stringify(textAt(onResource, 'namespace')),
            'must match metadata.namespace',
          ),
        ]
      : []),
    ...(isLocal && onPath !== undefined
      ? [invalidValue('spec.nonResourceAttributes', path, 'disallowed on this kind of request')]
      : []),
  ];
}

/** A question has no name: it is not kept. */
function metadataErrors(object: JsonObject, scope: 'cluster' | 'namespace'): readonly FieldError[] {
  const metadata = objectAt(object, 'metadata') ?? {};
  const { managedFields: _, namespace = '', uid: __, ...rest } = metadata;
  const isEmpty = Object.values(rest).every(isNothing);
  if (isEmpty && (scope === 'namespace' || namespace === '')) return [];
  const why = scope === 'namespace' ? 'must be empty except for namespace' : 'must be empty';
  return [invalidValue('metadata', inOrder(metadata), why)];
}

const isNothing = (value: Json | undefined): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0);

/** As Kubernetes writes it, without what a client may not say. */
function inOrder({ name, generateName, namespace, uid: _, resourceVersion, ...rest }: JsonObject): JsonObject {
  const first = Object.entries({ name, generateName, namespace, resourceVersion });
  const all = [...first, ...Object.entries(rest)].filter(([, value]) => !isNothing(value));
  return Object.fromEntries(all) as JsonObject;
}

function subjectErrors(object: JsonObject, plural: string): readonly FieldError[] {
  if (plural === 'selfsubjectaccessreviews') return [];
  if (textAt(object, 'spec', 'user') !== '' || textsAt(object, 'spec', 'groups').length > 0) return [];
  return [wrong('spec.user', '""', 'at least one of user or group must be specified')];
}

const wrong = (field: string, value: string, why: string): FieldError => ({
  type: 'Invalid',
  field,
  message: `Invalid value: ${value}: ${why}`,
});

function namedIn(object: JsonObject): Identity {
  const extra = objectAt(object, 'spec', 'extra') ?? {};
  return {
    name: textAt(object, 'spec', 'user'),
    uid: textAt(object, 'spec', 'uid'),
    groups: textsAt(object, 'spec', 'groups'),
    extra: Object.fromEntries(Object.keys(extra).map(key => [key, textsAt(extra, key)])),
  };
}

function rules({ snapshot }: ReviewWorld, { object, identity }: Call): JsonObject {
  const namespace = textAt(object, 'spec', 'namespace');
  if (namespace === '') throw badRequest('no namespace on request');

  const held = rulesHeld(snapshot().grantsOf(identity, namespace));
  const isNode = nodeNameOf(identity) !== undefined;
  const problems = [...(isNode ? ['node authorizer does not support user rule resolution'] : []), ...held.problems];
  return {
    ...typeOf(object),
    metadata: {},
    spec: {},
    status: {
      resourceRules: held.resourceRules,
      nonResourceRules: held.nonResourceRules,
      incomplete: isNode,
      ...(problems.length === 0 ? {} : { evaluationError: problems.join(', ') }),
    },
  };
}

function self({ clock }: ReviewWorld, { object, identity }: Call): JsonObject {
  return {
    ...typeOf(object),
    metadata: { creationTimestamp: kubeTime(clock.now()) },
    status: { userInfo: userInfo(identity) },
  };
}

function token(world: ReviewWorld, { object }: Call): JsonObject {
  const presented = textAt(object, 'spec', 'token');
  if (presented === '') throw badRequest('token is required for TokenReview in authentication');

  const asked = textsAt(object, 'spec', 'audiences');
  const answer = world.readToken(presented, asked.length === 0 ? world.audiences : asked);
  if (answer.kind === 'believed') {
    const status = { authenticated: true, user: userInfo(answer.identity), audiences: [...answer.audiences] };
    return { ...object, status };
  }
  const why =
    answer.kind === 'refused' ? { error: `[invalid bearer token, ${answer.why}]` } : { error: 'invalid bearer token' };
  return { ...object, status: { user: {}, ...why } };
}

const typeOf = (object: JsonObject): JsonObject => ({
  kind: textAt(object, 'kind'),
  apiVersion: textAt(object, 'apiVersion'),
});

function userInfo({ name, uid, groups, extra }: Identity): JsonObject {
  const more = Object.fromEntries(Object.entries(extra ?? {}).map(([key, values]) => [key, [...values]]));
  return {
    username: name,
    ...(uid === undefined || uid === '' ? {} : { uid }),
    groups: [...groups],
    ...(Object.keys(more).length === 0 ? {} : { extra: more }),
  };
}
