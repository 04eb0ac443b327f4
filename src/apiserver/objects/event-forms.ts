// Events are served in two groups under different field names and stored once, in the core group's form.

import type { Json, JsonObject } from '../parts.ts';

/** Field names of `events.k8s.io/v1`, and of `v1`. */
const NAMES: readonly (readonly [string, string])[] = [
  ['regarding', 'involvedObject'],
  ['note', 'message'],
  ['reportingController', 'reportingComponent'],
  ['deprecatedSource', 'source'],
  ['deprecatedFirstTimestamp', 'firstTimestamp'],
  ['deprecatedLastTimestamp', 'lastTimestamp'],
  ['deprecatedCount', 'count'],
];
const TO_CORE: ReadonlyMap<string, string> = new Map(NAMES);
const TO_GROUP: ReadonlyMap<string, string> = new Map(NAMES.map(([group, core]) => [core, group]));

/** What Go writes of a `v1` Event although it is empty. */
const CORE_ZERO: JsonObject = {
  source: {},
  firstTimestamp: null,
  lastTimestamp: null,
  reportingComponent: '',
  reportingInstance: '',
};

export const coreEvent = (event: JsonObject): JsonObject => ({ ...CORE_ZERO, ...renamed(event, TO_CORE, 'v1') });

export const groupEvent = (event: JsonObject): JsonObject => renamed(event, TO_GROUP, 'events.k8s.io/v1');

/** Texts that are empty are left out, as Go leaves them out in this group. */
function renamed(event: JsonObject, names: ReadonlyMap<string, string>, apiVersion: string): JsonObject {
  const fields = Object.entries(event)
    .filter(([, value]) => value !== '')
    .map(([key, value]): [string, Json] => [names.get(key) ?? key, value ?? null]);
  return { ...Object.fromEntries(fields), apiVersion };
}
