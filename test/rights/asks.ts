// What a request asks of the authorizers: itself, and what admission asks on top of it.

import { verbOf } from '../../src/apiserver/access.ts';
import type { Attributes, JsonObject, Stored } from '../../src/apiserver/parts.ts';
import { parsePath, type ResourcePath } from '../../src/apiserver/request/path.ts';
import type { CertificateSigningRequest, RoleBinding } from '../../src/kube/core/other.ts';
import type { ApiRequest, Identity } from '../../src/kube/transport.ts';

/** All that must be allowed for this request to be carried out. */
export function asksOf(request: ApiRequest, identity: Identity, stored: Stored): readonly Attributes[] {
  const path = parsePath(request.path);
  if (path === undefined) return [];
  if (path.kind === 'other') {
    return [{ ...NOTHING, identity, verb: request.method.toLowerCase(), version: '', path: path.path }];
  }
  const itself = askItself(request, identity, path);
  const around = { body: bodyOf(request), stored };
  return [itself, ...onTop(itself, around), ...forOwners(itself, around)];
}

const NOTHING = {
  group: '',
  version: '*',
  resource: '',
  subresource: '',
  namespace: '',
  name: '',
  path: '',
  fieldSelector: '',
  labelSelector: '',
};

function askItself(request: ApiRequest, identity: Identity, path: ResourcePath): Attributes {
  const query = new URLSearchParams(request.query);
  const { group, version, plural, subresource, name, namespace } = path;
  return {
    identity,
    verb: verbOf(request, path, query.get('watch')),
    group,
    version,
    resource: plural,
    subresource,
    namespace: plural === 'namespaces' && group === '' ? name : namespace,
    name,
    path: '',
    fieldSelector: query.get('fieldSelector') ?? '',
    labelSelector: query.get('labelSelector') ?? '',
  };
}

interface On {
  readonly group: string;
  readonly resource: string;
  readonly name: string;
  readonly namespace?: string;
}

interface Around {
  readonly body: JsonObject | undefined;
  readonly stored: Stored;
}

/** Kubernetes asks for these when the request itself is allowed: who approves or signs, who binds or makes roles. */
function onTop(itself: Attributes, { body, stored }: Around): readonly Attributes[] {
  const { identity, verb, resource, subresource, namespace, name } = itself;
  if (['get', 'list', 'watch', 'delete', 'deletecollection'].includes(verb)) return [];
  const ask = (what: string, on: On): readonly Attributes[] => [{ ...NOTHING, identity, verb: what, ...on }];
  switch (`${resource}/${subresource}`) {
    case 'certificatesigningrequests/approval':
    case 'certificatesigningrequests/status': {
      const signer = signerOf(stored.get('certificatesigningrequests.certificates.k8s.io', '', name));
      const on = { group: 'certificates.k8s.io', resource: 'signers', name: signer };
      return ask(subresource === 'approval' ? 'approve' : 'sign', on);
    }
    case 'clusterrolebindings/': {
      const role = (body as RoleBinding | undefined)?.roleRef.name ?? '';
      return ask('bind', { group: 'rbac.authorization.k8s.io', resource: 'clusterroles', name: role });
    }
    // Admission lets a Node have tokens for audiences that its Pod mounts; for others a role must say so.
    case 'serviceaccounts/token':
      return identity.groups.includes('system:nodes')
        ? ask('request-serviceaccounts-token-audience', { group: '', resource: audienceIn(body), name, namespace })
        : [];
    case 'clusterroles/':
      return ask('escalate', { group: 'rbac.authorization.k8s.io', resource: 'clusterroles', name });
    default:
      return [];
  }
}

/**
 * OwnerReferencesPermissionEnforcement, which some clusters have on: who changes an object's owners may delete it too. (What
 * it asks for references that block their owner is asked of nobody here: ours block none.)
 */
function forOwners(itself: Attributes, { body }: Around): readonly Attributes[] {
  const isChange = ['update', 'patch'].includes(itself.verb) && itself.subresource === '';
  const isOnOwners = body?.metadata !== undefined && 'ownerReferences' in Object(body.metadata);
  return isChange && isOnOwners && itself.identity.name.includes(':pippin-') ? [{ ...itself, verb: 'delete' }] : [];
}

const signerOf = (stored: unknown): string => (stored as CertificateSigningRequest | undefined)?.spec.signerName ?? '';

function audienceIn(body: JsonObject | undefined): string {
  const { spec } = (body ?? {}) as { readonly spec?: { readonly audiences?: readonly string[] } };
  return spec?.audiences?.[0] ?? '';
}

const bodyOf = ({ body }: ApiRequest): JsonObject | undefined =>
  body === undefined ? undefined : JSON.parse(new TextDecoder().decode(body));
