// pods/eviction: a delete that asks the Pod's disruption budgets first.

import { kubeTime } from '../../base/clock.ts';
import type { ApiResponse } from '../../kube/transport.ts';
import { acceptedFor } from '../answer/present.ts';
import { objectAnswer } from '../answer/render.ts';
import { unexpected } from '../answer/status.ts';
import type { Call } from '../core.ts';
import type { JsonObject } from '../parts.ts';
import { isObject, listAt, objectAt, sameJson, stringAt, stringsAt } from '../rules/json.ts';
import { deleted } from '../verbs/delete.ts';
import { optionsFrom } from '../verbs/delete-options.ts';
import { admittedBody } from '../verbs/judged.ts';
import type { WriteOptions } from '../verbs/options.ts';
import { rowOrNotFound } from '../verbs/read.ts';
import { changed } from '../verbs/update.ts';
import { bodyOfKind, SUCCESS } from './body.ts';
import { chargeBudget } from './disruption-budget.ts';

export async function evictPod(call: Call): Promise<ApiResponse> {
  const accepted = acceptedFor(call);
  const eviction = bodyOfKind(call, 'Eviction');
  const pod = rowOrNotFound(call).object;
  const options = optionsFrom(agreed(call, objectAt(eviction, 'deleteOptions')));
  // Asked before anything is written: a node may not mark the Pod of another node either (safe-18).
  await admittedBody(call, eviction, options);
  if (!endsAnyway(pod)) await chargeBudget(call, pod, options);
  if (!options.dryRun) await changed(call, NO_OPTIONS, old => ({ object: disrupted(call, old), how: 'bySystem' }));
  await deleted(call, options, 'before');
  return objectAnswer(201, SUCCESS, accepted, call.core.parts.protobuf);
}

/** Query and options both may say that it is dry; who says it in both says the same. */
function agreed({ query }: Call, options: JsonObject): JsonObject {
  const [asked, said] = [query.getAll('dryRun'), stringsAt(options, 'dryRun')];
  if (asked.length === 0) return options;
  if (said.length > 0 && !sameJson(asked, said)) {
    // The real server answers 500 here, although it is the client's mistake.
    throw unexpected(
      `Non-matching dry-run options in request and content: [${asked.join(' ')}] and [${said.join(' ')}]`,
    );
  }
  return { ...options, dryRun: asked };
}

const NO_OPTIONS: WriteOptions = { dryRun: false, fieldManager: '', fieldValidation: 'Ignore' };

/** Says on the Pod why it ends. */
function disrupted(call: Call, pod: JsonObject): JsonObject {
  const status = objectAt(pod, 'status');
  const others = listAt(status, 'conditions').filter(c => !isObject(c) || c.type !== 'DisruptionTarget');
  const condition = {
    type: 'DisruptionTarget',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: kubeTime(call.core.clock.now()),
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
  };
  return { ...pod, status: { ...status, conditions: [...others, condition] } };
}

/** A Pod that has ended, is ending or never began disrupts nothing. */
function endsAnyway(pod: JsonObject): boolean {
  const phase = stringAt(objectAt(pod, 'status'), 'phase');
  const ended = phase === 'Succeeded' || phase === 'Failed' || phase === 'Pending';
  return ended || objectAt(pod, 'metadata').deletionTimestamp !== undefined;
}
