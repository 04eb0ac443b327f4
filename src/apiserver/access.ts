// Who asks and whether they may: identity from the request in process, else from its credentials.

import type { ApiRequest, Identity } from '../kube/transport.ts';
import { forbidden, unauthorized } from './answer/status.ts';
import type { Core } from './core.ts';
import type { Attributes, ClientCertificate } from './parts.ts';
import type { ResourcePath } from './request/path.ts';

/** A request as the HTTP server passes it on: with the subject of a client certificate that TLS has verified. */
export interface ServedRequest extends ApiRequest {
  readonly clientCertificate?: ClientCertificate;
}

const MASTERS = 'system:masters';
const ANONYMOUS: Identity = { name: 'system:anonymous', groups: ['system:unauthenticated'] };

/** The identity behind a request. Wrong credentials are refused, absent ones are anonymous. */
export async function identityOf(core: Core, request: ServedRequest): Promise<Identity> {
  if (request.identity !== undefined) return withGroup(request.identity);
  const { authenticator } = core.parts;
  const identity = await authenticator?.authenticate(request.headers, request.clientCertificate);
  if (identity !== undefined) return identity;
  if (request.headers.authorization !== undefined) throw unauthorized();
  return ANONYMOUS;
}

function withGroup(identity: Identity): Identity {
  if (identity.groups.includes('system:authenticated') || identity.name === ANONYMOUS.name) return identity;
  return { ...identity, groups: [...identity.groups, 'system:authenticated'] };
}

/** Refuses what the authorizer does not allow, in the words that kubectl shows. */
export function authorize(core: Core, attributes: Attributes): void {
  const verdict = core.parts.authorizer?.(attributes) ?? mastersOnly(attributes);
  if (verdict.allowed) return;
  const because = verdict.reason === '' ? '' : `: ${verdict.reason}`;
  const { group, resource, name } = attributes;
  throw forbidden({ group, resource, name }, `${sentence(attributes)}${because}`);
}

function mastersOnly({ identity }: Attributes): ReturnType<NonNullable<Core['parts']['authorizer']>> {
  return identity.groups.includes(MASTERS) ? { allowed: true } : { allowed: false, reason: '' };
}

function sentence({ identity, verb, resource, subresource, group, namespace, path }: Attributes): string {
  const who = `User ${JSON.stringify(identity.name)} cannot ${verb}`;
  if (resource === '') return `${who} path ${JSON.stringify(path)}`;
  const what = subresource === '' ? resource : `${resource}/${subresource}`;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${JSON.stringify(namespace)}`;
  return `${who} resource ${JSON.stringify(what)} in API group ${JSON.stringify(group)} ${where}`;
}

const WRITES: Readonly<Record<string, string>> = { POST: 'create', PUT: 'update', PATCH: 'patch' };

/** The verb of a resource request. */
export function verbOf(method: ApiRequest['method'], path: ResourcePath, wantsWatch: boolean): string {
  if (method === 'DELETE') return path.name === '' ? 'deletecollection' : 'delete';
  if (method !== 'GET') return WRITES[method] ?? '';
  if (wantsWatch) return 'watch';
  return path.name === '' ? 'list' : 'get';
}
