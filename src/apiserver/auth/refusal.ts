// The refusals of authorization and admission, in Kubernetes' own words.

import type { Status } from '../../kube/errors.ts';
import { forbidden } from '../answer/status.ts';
import type { Attributes, JsonObject } from '../parts.ts';
import { textAt } from './fields.ts';

/** Names and values in messages are quoted as Go's %q does. */
export const quoted = (text: string): string => JSON.stringify(text);

/** 403 of an admission check; on create the name may only be in the object. */
export function refusedByAdmission(attributes: Attributes, object: JsonObject | undefined, why: string): Status {
  const { group, resource } = attributes;
  return forbidden({ group, resource, name: attributes.name || nameInBody(object) }, why).status;
}

function nameInBody(object: JsonObject | undefined): string {
  return textAt(object, 'metadata', 'name') || textAt(object, 'metadata', 'generateName') || 'Unknown';
}

/** 403 of the authorizers: who cannot do what, and the reason if one was given. */
export function notAllowed(attributes: Attributes, reason: string): Status {
  const { group, resource, name } = attributes;
  const said = deniedSentence(attributes);
  return forbidden({ group, resource, name }, reason === '' ? said : `${said}: ${reason}`).status;
}

function deniedSentence(attributes: Attributes): string {
  const { identity, verb, group, resource, subresource, namespace, path } = attributes;
  const user = `User ${quoted(identity.name)} cannot ${verb}`;
  if (resource === '') return `${user} path ${quoted(path)}`;

  const what = subresource === '' ? resource : `${resource}/${subresource}`;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${quoted(namespace)}`;
  return `${user} resource ${quoted(what)} in API group ${quoted(group)} ${where}`;
}
