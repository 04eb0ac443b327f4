// Groups of Kubernetes itself: whoever defines a kind there says where that was approved, or that it was not.

import type { JsonObject } from '../parts.ts';
import { objectAt, stringAt } from './json.ts';

export const APPROVAL_ANNOTATION = 'api-approved.kubernetes.io';

const PROTECTED = ['k8s.io', 'kubernetes.io'];
const HOST = /^[a-z][a-z0-9+.-]*:\/\/[^/?#\s]+/i;
const RULE = `protected groups must have approval annotation "${APPROVAL_ANNOTATION}"`;
const SEE = 'see https://github.com/kubernetes/enhancements/pull/1111';

export type Approval = 'missing' | 'invalid' | 'approved' | 'unapproved';

export const isProtectedGroup = (group: string): boolean =>
  PROTECTED.some(domain => group === domain || group.endsWith(`.${domain}`));

/** What the definition says of its approval, and in Kubernetes' words. */
export function approvalOf(definition: JsonObject): { readonly state: Approval; readonly why: string } {
  const said = stringAt(objectAt(objectAt(definition, 'metadata'), 'annotations'), APPROVAL_ANNOTATION);
  if (said === '') return { state: 'missing', why: `${RULE}, ${SEE}` };
  if (said.startsWith('unapproved')) return { state: 'unapproved', why: `not approved: ${JSON.stringify(said)}` };
  if (HOST.test(said)) return { state: 'approved', why: `approved in ${said}` };
  return { state: 'invalid', why: `${RULE} with either a URL or a reason starting with "unapproved", ${SEE}` };
}
