// AdmissionReview: what a webhook is sent, and what its answer must be.

import type { Json, JsonObject, Resource } from '../parts.ts';
import { numberProblem } from '../request/exact-numbers.ts';
import { jsonProblem } from '../request/json-problem.ts';
import { isObject, jsonTypeName, stringAt } from '../rules/json.ts';
import { type AdmissionRequest, inVersion, requestOf } from './request.ts';
import { CallFailed } from './webhook-client.ts';

export interface Review {
  readonly uid: string;
  readonly body: JsonObject;
}

export function reviewOf(request: AdmissionRequest, matched: Resource): Review {
  const { call, object, old } = request;
  const uid = call.core.random.uuid();
  const shown = (each: JsonObject | undefined): Json => (each === undefined ? null : inVersion(call, each, matched));
  const { options, dryRun, ...rest } = requestOf(request, matched);
  const body = {
    kind: 'AdmissionReview',
    apiVersion: 'admission.k8s.io/v1',
    request: {
      uid,
      ...rest,
      object: shown(object),
      oldObject: shown(old),
      ...(dryRun === undefined ? {} : { dryRun }),
      ...(options === undefined ? {} : { options }),
    },
  };
  return { uid, body };
}

export interface Response {
  readonly allowed: boolean;
  readonly status: JsonObject | undefined;
  readonly warnings: readonly string[];
  /** The operations of a JSON patch; undefined: nothing is changed. */
  readonly patch: readonly Json[] | undefined;
}

/** The answer came and is not one. */
export class InvalidResponse extends Error {}

/** Reads the answer to the review with this uid. */
export function responseIn(answer: JsonObject, uid: string, kind: 'mutating' | 'validating'): Response {
  checkKind(answer);
  const { response } = answer;
  if (!isObject(response)) throw new InvalidResponse('webhook response was absent');
  const said = stringAt(response, 'uid');
  if (said !== uid) {
    throw new InvalidResponse(`expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(said)}`);
  }
  const patch = patchIn(response, kind);
  return {
    allowed: response.allowed === true,
    status: isObject(response.status) ? response.status : undefined,
    warnings: Array.isArray(response.warnings) ? response.warnings.filter(text => typeof text === 'string') : [],
    patch,
  };
}

function checkKind(answer: JsonObject): void {
  const { apiVersion, kind } = answer;
  if (apiVersion === 'admission.k8s.io/v1' && kind === 'AdmissionReview') return;
  if (apiVersion === undefined && kind === undefined) {
    throw new InvalidResponse('expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got /, Kind=');
  }
  const [version = ''] = stringAt(answer, 'apiVersion').split('/').reverse();
  if (kind === 'AdmissionReview') {
    throw new CallFailed(`converting (${version}.AdmissionReview) to (v1.AdmissionReview): unknown conversion`);
  }
  throw new CallFailed(
    `no kind ${JSON.stringify(kind ?? '')} is registered for version ${JSON.stringify(apiVersion ?? '')} in scheme "pkg/runtime/scheme.go:111"`,
  );
}

function patchIn(response: JsonObject, kind: 'mutating' | 'validating'): readonly Json[] | undefined {
  const [patch, type] = [stringAt(response, 'patch'), response.patchType];
  if (kind === 'validating') {
    if (patch !== '') throw new InvalidResponse('validating webhook may not return response.patch');
    if (type !== undefined) throw new InvalidResponse('validating webhook may not return response.patchType');
    return undefined;
  }
  if (patch !== '' && type === undefined) {
    throw new InvalidResponse('webhook returned response.patch but not response.patchType');
  }
  if (patch === '' && type !== undefined) {
    throw new InvalidResponse('webhook returned response.patchType but not response.patch');
  }
  return patch === '' || type !== 'JSONPatch' ? undefined : operationsIn(patch);
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

function operationsIn(patch: string): readonly Json[] {
  if (!BASE64.test(patch)) throw new CallFailed(`illegal base64 data at input byte ${patch.search(/[^A-Za-z0-9+/=]/)}`);
  const text = Buffer.from(patch, 'base64').toString();
  const operations = parsed(text);
  if (operations === undefined) throw new UndecodablePatch(jsonProblem(text));
  const problem = numberProblem(text);
  if (problem !== undefined) throw new UndecodablePatch(problem);
  if (operations === null) return [];
  if (!Array.isArray(operations)) throw new UndecodablePatch(cannotBe(operations, 'Patch'));
  const odd = operations.find(each => each !== null && !isObject(each));
  if (odd !== undefined) throw new UndecodablePatch(cannotBe(odd, 'Operation'));
  return operations;
}

const cannotBe = (value: Json, what: string): string =>
  `json: cannot unmarshal ${jsonTypeName(value)} into Go value of type jsonpatch.${what}`;

export class UndecodablePatch extends Error {}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
