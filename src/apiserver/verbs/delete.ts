// delete: marks an object that is held or may end gracefully, removes one that is not.

import type { ApiResponse } from '../../kube/transport.ts';
import type { Concern } from '../admission/dynamic.ts';
import { acceptedFor, presentObject, presentRow } from '../answer/present.ts';
import { objectAnswer } from '../answer/render.ts';
import { conflict, deletedStatus, notFound, objectTooLarge } from '../answer/status.ts';
import { shownRow } from '../conversion/converted.ts';
import { readToday } from '../conversion/outgrown.ts';
import { type Call, keyOf, kindSubjectOf, subjectOf } from '../core.ts';
import { servedForm } from '../objects/forms.ts';
import { written } from '../objects/service-addresses.ts';
import { answersDeletedObject, strategyOf } from '../objects/strategy.ts';
import type { JsonObject } from '../parts.ts';
import { objectAt, sameJson, stringAt, stringsAt } from '../rules/json.ts';
import type { Row } from '../store.ts';
import { type DeleteOptions, deleteOptions } from './delete-options.ts';
import { marked } from './deletion-mark.ts';
import { judgedDelete } from './judged.ts';
import { admitted } from './normalize.ts';
import { warnOfOrphans } from './propagation.ts';

export async function deleteObject(call: Call): Promise<ApiResponse> {
  const accepted = acceptedFor(call);
  const options = deleteOptions(call);
  warnOfOrphans(call, options);
  const { object, row, removed } = await deleted(call, options);
  if (!removed || answersDeletedObject(call.resource)) {
    if (row === undefined) return presentObject(call, object, 200, accepted);
    return presentRow(call, await shownRow(call, row), 200, accepted);
  }
  const status = deletedStatus(subjectOf(call), stringAt(objectAt(object, 'metadata'), 'uid'));
  return objectAnswer(200, status, accepted, call.core.parts.protobuf);
}

export interface Deleted {
  readonly object: JsonObject;
  /** Absent after a dry run. */
  readonly row?: Row;
  /** False: it is marked and waits for its finalizers, its grace or its holder. */
  readonly removed: boolean;
}

/** Deletes the call's object, again from the start when another write comes between. `asked`: admission had its say. */
export async function deleted(call: Call, options: DeleteOptions, asked?: 'before'): Promise<Deleted> {
  for (;;) {
    const stored = call.core.store.get(keyOf(call));
    if (stored === undefined) throw notFound(subjectOf(call));
    const row = readToday(call.core, call.resource, stored);
    strategyOf(call.resource).refuseDelete?.(call, row.object, options);
    checkPreconditions(call, row.object, options);
    const concern = asked === undefined ? concernIn(call, row, options) : undefined;
    if (concern !== undefined) await judgedDelete(call, concern, servedForm(row.object, call.resource), options);
    const answer = await deleteRow(call, row, options);
    if (answer !== undefined) return answer;
  }
}

/** Refuses what this server's own rules refuse; the answer is who else has a say. */
function concernIn(call: Call, row: Row, options: DeleteOptions): Concern | undefined {
  admitted(call, undefined, servedForm(row.object, call.resource), options);
  return call.core.dynamic.concerning(call, 'DELETE');
}

/** Undefined: another write came between. */
async function deleteRow(call: Call, row: Row, options: DeleteOptions): Promise<Deleted | undefined> {
  const next = marked(call, row.object, options);
  if (next === undefined) return { object: row.object, row, removed: false };
  const stays = mustWait(call, next, row.object);
  if (options.dryRun) return { object: next, removed: !stays };
  const isSame = sameJson(next, row.object);
  if (stays && isSame) return { object: row.object, row, removed: false };
  // What may end gracefully is marked first, also when its time is zero: watchers see both steps.
  const removal = { remove: isGraceful(call) && !isSame ? ('afterwards' as const) : (true as const) };
  const object = stays || isGraceful(call) ? next : row.object;
  const write = { ...keyOf(call), expected: row.revision, object, ...(stays ? {} : removal) };
  const answer = await written(call.core, write);
  if (answer.kind === 'tooLarge') throw objectTooLarge();
  return answer.kind === 'written' ? { object: answer.row.object, row: answer.row, removed: !stays } : undefined;
}

const isGraceful = ({ resource }: Call): boolean => strategyOf(resource).graceSeconds !== undefined;

/** Whether the marked object stays for now. */
function mustWait(call: Call, object: JsonObject, before: JsonObject): boolean {
  const metadata = objectAt(object, 'metadata');
  if (stringsAt(metadata, 'finalizers').length > 0) return true;
  if (strategyOf(call.resource).isHeld?.(object, before) ?? false) return true;
  const grace = metadata.deletionGracePeriodSeconds;
  return isGraceful(call) && typeof grace === 'number' && grace > 0;
}

function checkPreconditions(call: Call, object: JsonObject, { uid, resourceVersion }: DeleteOptions): void {
  const metadata = objectAt(object, 'metadata');
  const subject = kindSubjectOf(call);
  const recorded = stringAt(metadata, 'uid');
  if (uid !== undefined && uid !== recorded) {
    throw conflict(
      subject,
      `the UID in the precondition (${uid}) does not match the UID in record (${recorded}). The object might have been deleted and then recreated`,
    );
  }
  const version = stringAt(metadata, 'resourceVersion');
  if (resourceVersion !== undefined && resourceVersion !== version) {
    throw conflict(
      subject,
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${version}). The object might have been modified`,
    );
  }
}
