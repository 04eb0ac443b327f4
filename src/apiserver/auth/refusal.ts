// The refusals of authorization and admission, in Kubernetes' own words.

import type { Status } from '../../kube/errors.ts';
import type { Attributes, JsonObject } from '../parts.ts';
import { textAt } from './fields.ts';

/** Names and values in messages are quoted as Go's %q does. */
export const quoted = (text: string): string => JSON.stringify(text);

interface Subject {
  readonly group: string;
  readonly resource: string;
  readonly name: string;
}

const qualified = (group: string, resource: string): string => (group === '' ? resource : `${resource}.${group}`);

/** 403: `pods "web" is forbidden: <why>`. */
export function forbidden(subject: Subject, why: string): Status {
  const { group, resource, name } = subject;
  return failure(403, 'Forbidden', `${forbiddenPrefix(subject)}: ${why}`, {
    ...(name === '' ? {} : { name }),
    ...(group === '' ? {} : { group }),
    ...(resource === '' ? {} : { kind: resource }),
  });
}

function forbiddenPrefix({ group, resource, name }: Subject): string {
  if (resource === '') return 'forbidden';
  return `${qualified(group, resource)}${name === '' ? '' : ` ${quoted(name)}`} is forbidden`;
}

/** 404 for the object that a check had to look at. */
export function notFound(group: string, resource: string, name: string): Status {
  return failure(404, 'NotFound', `${qualified(group, resource)} ${quoted(name)} not found`, {
    name,
    ...(group === '' ? {} : { group }),
    kind: resource,
  });
}

/** 401: no credentials that anybody knows. */
export const unauthorized: Status = failure(401, 'Unauthorized', 'Unauthorized');

/** 400 with Kubernetes' words. */
export const badRequest = (message: string): Status => failure(400, 'BadRequest', message);

/** 403 of an admission check; on create the name may only be in the object. */
export function refusedByAdmission(attributes: Attributes, object: JsonObject | undefined, why: string): Status {
  const { group, resource } = attributes;
  return forbidden({ group, resource, name: attributes.name || nameInBody(object) }, why);
}

function nameInBody(object: JsonObject | undefined): string {
  return textAt(object, 'metadata', 'name') || textAt(object, 'metadata', 'generateName') || 'Unknown';
}

/** 403 of the authorizers: who cannot do what, and the reason if one was given. */
export function notAllowed(attributes: Attributes, reason: string): Status {
  const { group, resource, name } = attributes;
  const said = deniedSentence(attributes);
  return forbidden({ group, resource, name }, reason === '' ? said : `${said}: ${reason}`);
}

function deniedSentence(attributes: Attributes): string {
  const { identity, verb, group, resource, subresource, namespace, path } = attributes;
  const user = `User ${quoted(identity.name)} cannot ${verb}`;
  if (resource === '') return `${user} path ${quoted(path)}`;

  const what = subresource === '' ? resource : `${resource}/${subresource}`;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${quoted(namespace)}`;
  return `${user} resource ${quoted(what)} in API group ${quoted(group)} ${where}`;
}

function failure(code: number, reason: string, message: string, details?: Status['details']): Status {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason,
    ...(details === undefined ? {} : { details }),
    code,
  };
}
