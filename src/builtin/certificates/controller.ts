// Certificates of Nodes and people: a Node's requests are approved, approved ones signed, old ones cleared away.

import { millisOf, minutes } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { KeyController, KubeWorld } from '../../kube/controller.ts';
import { CertificateSigningRequest } from '../../kube/core/other.ts';
import { kindOf } from '../../kube/kind.ts';
import { isDeleting, type KubeObject, keyOf } from '../../kube/object.ts';
import { done, type Outcome } from '../../kube/outcome.ts';
import { mergeConditions } from '../conditions.ts';
import { deleteThis, unlessOvertaken } from '../overtaken.ts';
import { type Asks, judge, NODE_SIGNER, type RequestedSubject } from './approval.ts';
import { isSignedHere, type Usage, verdictOf } from './signers.ts';

const YEAR_MS = minutes(365 * 24 * 60);

/** The authority behind the certificates of a cluster. */
export interface NodeCertificateSigner {
  /** Reads a PEM request; rejects when it is none or its signature does not fit its key. */
  inspect(requestPem: string): Promise<RequestedSubject>;
  /** A PEM certificate for the request, valid for at most `ttlMs` (safe-18). */
  sign(requestPem: string, ttlMs: number, usages?: readonly Usage[]): Promise<string>;
}

export interface CertificateOptions {
  readonly signer: NodeCertificateSigner;
  /** The longest life of a Node's certificate; 24 h (safe-18). */
  readonly longestMs: number;
  /** That of anybody else's, which a person approved; as Kubernetes' a year if it is not said. */
  readonly longestOfPersonMs?: number;
  /** How long a request that is dealt with stays to be looked at. */
  readonly keptMs: number;
}

interface SubjectAccessReview extends KubeObject {
  readonly spec: unknown;
  readonly status?: { readonly allowed?: boolean };
}

const SubjectAccessReview = kindOf<SubjectAccessReview>(
  'authorization.k8s.io/v1',
  'SubjectAccessReview',
  'subjectaccessreviews',
  'Cluster',
);

export function nodeCertificates(options: CertificateOptions): KeyController<KubeWorld> {
  return {
    name: 'node-certificates',
    kind: CertificateSigningRequest,
    async pass(key, _object, world) {
      const request = world.caches.of(CertificateSigningRequest).get(key);
      if (request === undefined || isDeleting(request) || !isSignedHere(request.spec.signerName)) return done();
      if (request.status?.certificate !== undefined || has(request, 'Denied') || has(request, 'Failed')) {
        return clearAway(request, options, world);
      }
      if (has(request, 'Approved')) return sign(request, options, world);
      return request.spec.signerName === NODE_SIGNER ? approve(request, options, world) : done();
    },
  };
}

async function approve(
  request: CertificateSigningRequest,
  options: CertificateOptions,
  world: KubeWorld,
): Promise<Outcome> {
  const subject = await subjectOf(request, options, world);
  if (subject === undefined) return done();
  const judgement = judge(request, subject);
  if (judgement.kind === 'notOurs') return done();
  if (!(await mayHave(request, judgement.right, world))) return done(undefined, minutes(1));
  const granted = {
    type: 'Approved',
    status: 'True',
    reason: 'AutoApproved',
    message: `Auto approving ${judgement.right === 'selfnodeclient' ? 'self ' : ''}kubelet client certificate after SubjectAccessReview.`,
  } as const;
  await writeConditions(request, granted, 'approval', world);
  return done();
}

/** A request that cannot be read gets the condition Failed: nobody will be able to sign it. */
async function subjectOf(
  request: CertificateSigningRequest,
  options: CertificateOptions,
  world: KubeWorld,
): Promise<RequestedSubject | undefined> {
  try {
    return await options.signer.inspect(atob(request.spec.request));
  } catch (error) {
    await fail(request, { reason: 'RequestUnreadable', message: messageOf(error) }, world);
    return undefined;
  }
}

async function fail(
  request: CertificateSigningRequest,
  why: { readonly reason: string; readonly message: string },
  world: KubeWorld,
): Promise<void> {
  await writeConditions(request, { type: 'Failed', status: 'True', ...why } as const, 'status', world);
}

async function mayHave(request: CertificateSigningRequest, right: Asks, world: KubeWorld): Promise<boolean> {
  const { username, groups } = request.spec;
  const answer = await world.api.create(SubjectAccessReview, {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    metadata: { name: '' },
    spec: {
      user: username,
      groups,
      resourceAttributes: {
        group: 'certificates.k8s.io',
        resource: 'certificatesigningrequests',
        subresource: right,
        verb: 'create',
        version: '*',
      },
    },
  });
  return answer.status?.allowed === true;
}

async function sign(
  request: CertificateSigningRequest,
  options: CertificateOptions,
  world: KubeWorld,
): Promise<Outcome> {
  const subject = await subjectOf(request, options, world);
  if (subject === undefined) return done();
  // A person may have approved it: even so nothing but what its signer is for is signed here.
  const { signerName, usages = [], expirationSeconds = Number.POSITIVE_INFINITY } = request.spec;
  const verdict = verdictOf(signerName, subject, usages);
  if (verdict.kind === 'failed') {
    await fail(request, { reason: 'SignerValidationFailure', message: verdict.why }, world);
  }
  if (verdict.kind !== 'granted') return done();
  const { longestMs, longestOfPersonMs = YEAR_MS } = options;
  const ttlMs = Math.min(expirationSeconds * 1000, verdict.of === 'node' ? longestMs : longestOfPersonMs);
  const pem = await options.signer.sign(atob(request.spec.request), ttlMs, verdict.usages);
  await unlessOvertaken(() => patchLocked(request, { status: { certificate: btoa(pem) } }, 'status', world));
  return done();
}

async function clearAway(
  request: CertificateSigningRequest,
  options: CertificateOptions,
  world: KubeWorld,
): Promise<Outcome> {
  const leftMs = millisOf(request.metadata.creationTimestamp) + options.keptMs - world.clock.now();
  if (leftMs > 0) return done(undefined, leftMs);
  await deleteThis(CertificateSigningRequest, request, world.api);
  return done();
}

async function writeConditions(
  request: CertificateSigningRequest,
  condition: Parameters<typeof mergeConditions>[1][number],
  subresource: 'approval' | 'status',
  world: KubeWorld,
): Promise<void> {
  const conditions = mergeConditions(request.status?.conditions ?? [], [condition], world.clock.now());
  if (conditions === undefined) return;
  await unlessOvertaken(() => patchLocked(request, { status: { conditions } }, subresource, world));
}

async function patchLocked(
  request: CertificateSigningRequest,
  body: Readonly<Record<string, unknown>>,
  subresource: string,
  world: KubeWorld,
): Promise<void> {
  const { uid, resourceVersion } = request.metadata;
  const locked = { metadata: { uid, resourceVersion }, ...body };
  await world.api.patch(CertificateSigningRequest, keyOf(request), locked, { subresource });
}

const has = (request: CertificateSigningRequest, type: string): boolean =>
  request.status?.conditions?.some(condition => condition.type === type && condition.status === 'True') ?? false;
