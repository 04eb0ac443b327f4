// The parameters that a binding names: objects of the kind that its policy takes.

import { apiVersionOf } from '../core.ts';
import type { JsonObject, Resource } from '../parts.ts';
import { selectsLabels } from '../request/label-selector.ts';
import { isObject, objectAt, stringAt } from '../rules/json.ts';
import type { Binding, PolicyBase } from './policies.ts';
import type { AdmissionRequest } from './request.ts';

/** `none`: the policy is run without; else what was found, or why nothing was. */
export type Parameters =
  | { readonly kind: 'none' }
  | { readonly kind: 'found'; readonly objects: readonly JsonObject[] }
  | { readonly kind: 'missing'; readonly why: string };

export function parametersOf(request: AdmissionRequest, { paramKind }: PolicyBase, { paramRef }: Binding): Parameters {
  if (paramKind === undefined || paramRef === undefined) return { kind: 'none' };
  const { core, path } = request.call;
  const resource = core.registry
    .all()
    .find(each => each.kind === paramKind.kind && apiVersionOf(each) === paramKind.apiVersion && each.virtual !== true);
  if (resource === undefined) {
    return { kind: 'missing', why: `failed to find resource referenced by paramKind: '${kindText(paramKind)}'` };
  }
  const namespace = resource.namespaced ? stringAt(paramRef, 'namespace') || path.namespace : '';
  const objects = found(request, resource, namespace, paramRef);
  if (objects.length > 0) return { kind: 'found', objects };
  if (paramRef.parameterNotFoundAction === 'Allow') return { kind: 'found', objects: [] };
  return { kind: 'missing', why: 'no params found for policy binding with `Deny` parameterNotFoundAction' };
}

/** `v1, Kind=ConfigMap`, as Go prints it. */
const kindText = ({ apiVersion, kind }: { apiVersion: string; kind: string }): string =>
  `${apiVersion.includes('/') ? apiVersion : `/${apiVersion}`}, Kind=${kind}`;

function found(
  { call: { core } }: AdmissionRequest,
  { storageName }: Resource,
  namespace: string,
  paramRef: JsonObject,
): readonly JsonObject[] {
  const name = stringAt(paramRef, 'name');
  if (name !== '') {
    const row = core.store.get({ storage: storageName, namespace, name });
    return row === undefined ? [] : [row.object];
  }
  const selector = isObject(paramRef.selector) ? paramRef.selector : {};
  return (core.store.range(storageName, namespace === '' ? {} : { namespace })?.rows ?? [])
    .map(row => row.object)
    .filter(object => selectsLabels(selector, objectAt(objectAt(object, 'metadata'), 'labels')));
}
