// Who asks and whether they may: identity from the request in process, else from its credentials.

import type { ApiRequest, ApiResponse, Identity } from '../kube/transport.ts';
import { forbidden, Refusal, unauthorized } from './answer/status.ts';
import { impersonate, notAllowed } from './auth/index.ts';
import type { Core } from './core.ts';
import type { KubeletRequest } from './kubelets.ts';
import type { Attributes, ClientCertificate, Verdict } from './parts.ts';
import { truthy } from './request/list-options.ts';
import type { ResourcePath } from './request/path.ts';

/**
 * A request as the HTTP server passes it on: with the subject of a client certificate that TLS has verified. An
 * impersonation header that came several times says each value on a line of its own.
 */
export interface ServedRequest extends ApiRequest {
  readonly clientCertificate?: ClientCertificate;
  /** TLS has seen one that counts for nothing here. */
  readonly refusedCertificate?: true;
  /** The address of whoever has connected. */
  readonly from?: string;
  /** Neither of those of `method`, which then says GET: HEAD, OPTIONS. */
  readonly otherMethod?: string;
}

/** An answer, or (101) leave to upgrade the connection and to carry it on to a kubelet. */
export interface ServedResponse extends ApiResponse {
  readonly onward?: KubeletRequest;
}

/** What the real server's filters refuse before any handler runs, they refuse with this header. */
const FILTERED = { 'x-content-type-options': 'nosniff' } as const;

const MASTERS = 'system:masters';
const ANONYMOUS: Identity = { name: 'system:anonymous', groups: ['system:unauthenticated'] };

/** Who the request is carried out as. Wrong credentials are refused, absent ones are anonymous. */
export async function identityOf(core: Core, request: ServedRequest): Promise<Identity> {
  const caller = await callerOf(core, request);
  const answer = impersonate(caller, request.headers, attributes => verdictOf(core, attributes));
  if ('refused' in answer) throw new Refusal(answer.refused, FILTERED);
  return answer.identity;
}

async function callerOf(core: Core, request: ServedRequest): Promise<Identity> {
  if (request.identity !== undefined) return withGroup(request.identity);
  const { authenticator } = core.parts;
  const identity = await authenticator?.authenticate(request.headers, request.clientCertificate);
  // Somebody who tried to say who they are is not anonymous; a token may still say it.
  if (request.refusedCertificate === true && identity?.name === ANONYMOUS.name) throw unauthorized();
  if (identity !== undefined) return identity;
  if (authenticator !== undefined || request.headers.authorization !== undefined) throw unauthorized();
  return ANONYMOUS;
}

function withGroup(identity: Identity): Identity {
  if (identity.groups.includes('system:authenticated') || identity.name === ANONYMOUS.name) return identity;
  return { ...identity, groups: [...identity.groups, 'system:authenticated'] };
}

/** Refuses what the authorizer does not allow, in the words that kubectl shows. */
export function authorize(core: Core, attributes: Attributes): void {
  const verdict = verdictOf(core, attributes);
  if (verdict.allowed) return;
  throw new Refusal(notAllowed(attributes, verdict.reason), FILTERED);
}

/** Asks once more, for another verb than the request's own. */
export function authorizeAs(core: Core, attributes: Attributes, verb: string): void {
  if (attributes.verb === verb) return;
  const verdict = verdictOf(core, { ...attributes, verb });
  if (verdict.allowed) return;
  const { group, resource, name } = attributes;
  throw forbidden({ group, resource, name }, verdict.reason);
}

export const verdictOf = (core: Core, attributes: Attributes): Verdict =>
  core.parts.authorizer?.(attributes) ?? mastersOnly(attributes);

function mastersOnly({ identity }: Attributes): Verdict {
  return identity.groups.includes(MASTERS) ? { allowed: true } : { allowed: false, reason: '' };
}

const WRITES: Readonly<Record<string, string>> = { POST: 'create', PUT: 'update', PATCH: 'patch' };

/** The verb of a resource request; `watch` is that parameter of the query. */
export function verbOf(request: ServedRequest, path: ResourcePath, watch: string | null): string {
  const { method, otherMethod = 'HEAD' } = request;
  // One named object is not watched by its path, only by the old form of it.
  if (path.watch) return 'watch';
  // A HEAD is a question as a GET is; what else there may be has no verb.
  if (otherMethod !== 'HEAD') return '';
  if (method === 'DELETE') return path.name === '' ? 'deletecollection' : 'delete';
  if (method !== 'GET') return WRITES[method] ?? '';
  if (path.name !== '') return 'get';
  return truthy(watch) ? 'watch' : 'list';
}
