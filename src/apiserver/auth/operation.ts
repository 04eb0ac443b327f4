// What a write does, as admission sees it: create, update or delete, whatever verb asked for it.

import type { Admission, JsonObject } from '../parts.ts';
import { textAt } from './fields.ts';
import { refusedByAdmission } from './refusal.ts';

export type AdmissionCall = Parameters<Admission>[0];
export type Admitted = ReturnType<Admission>;
export type Operation = 'CREATE' | 'UPDATE' | 'DELETE';

/** An apply or an update of what is not there yet creates it. */
export function operationOf({ attributes, old }: AdmissionCall): Operation {
  if (attributes.verb === 'create') return 'CREATE';
  if (attributes.verb === 'delete' || attributes.verb === 'deletecollection') return 'DELETE';
  return old === undefined ? 'CREATE' : 'UPDATE';
}

/** The name in the path; on create the one in the body. */
export const requestedName = ({ attributes, object }: AdmissionCall): string =>
  attributes.name || textAt(object, 'metadata', 'name');

/** Lets the call pass unless there is a reason against it. */
export function admitUnless(call: AdmissionCall, why: string | undefined): Admitted {
  if (why !== undefined) return { refused: refusedByAdmission(call.attributes, call.object, why) };
  return unchanged(call.object);
}

export const unchanged = (object: JsonObject | undefined): Admitted => ({ object, warnings: [] });
