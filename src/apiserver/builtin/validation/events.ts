// What Events must be: little in the core group, all that tells them apart in the newer one, where they hardly change.

import type { Json, JsonObject, Resource } from '../../parts.ts';
import { invalid, required } from '../../schema/field-errors.ts';
import { countAt } from '../counts.ts';
import { isObject, objectAt, sameJson, textAt } from '../json.ts';
import { type Errors, qualifiedNameErrors } from './texts.ts';

const NAME_LENGTH = 128;
const MESSAGE_LENGTH = 1024;

/** Stored as the core group has it, whichever group (`resource`) it comes by. */
export function eventErrors(
  event: JsonObject,
  old: JsonObject | undefined,
  _part: string,
  { group }: Pick<Resource, 'group'>,
): Errors {
  if (group === '') return [...placeErrors(event), ...saidErrors(event, 'reportingComponent')];
  return [
    ...placeErrors(event),
    ...saidErrors(event, 'reportingController'),
    ...(old === undefined ? newerErrors(event) : changeErrors(event, old)),
  ];
}

/** An Event without a time must lie where its object does; one with a time may tell of another Namespace. */
function placeErrors(event: JsonObject): Errors {
  const namespace = textAt(objectAt(event, 'metadata'), 'namespace');
  const about = textAt(objectAt(event, 'involvedObject'), 'namespace');
  const isOfCluster = namespace === 'default' || namespace === 'kube-system';
  const isElsewhere = about === '' ? !isOfCluster : !isTimed(event) && about !== namespace;
  return isElsewhere ? [invalid('involvedObject.namespace', about, 'does not match event.namespace')] : [];
}

const isTimed = (event: JsonObject): boolean => textAt(event, 'eventTime') !== '';

/** An Event with a time must say who reports and what was done; `controllerField` is what the group calls the former. */
function saidErrors(event: JsonObject, controllerField: string): Errors {
  if (!isTimed(event)) return [];
  const controller = textAt(event, 'reportingComponent');
  return [
    ...(controller === '' ? [required(controllerField)] : []),
    ...qualifiedNameErrors(controllerField, controller),
    ...['reportingInstance', 'action', 'reason'].flatMap(key => [
      ...(textAt(event, key) === '' ? [required(key)] : []),
      ...lengthErrors(event, key, NAME_LENGTH),
    ]),
    ...lengthErrors(event, 'message', MESSAGE_LENGTH),
  ];
}

function lengthErrors(event: JsonObject, key: string, most: number): Errors {
  const isLong = Buffer.byteLength(textAt(event, key)) > most;
  return isLong ? [invalid(key, '', `can have at most ${most} characters`)] : [];
}

function newerErrors(event: JsonObject): Errors {
  const type = textAt(event, 'type');
  const source = objectAt(event, 'source');
  const isSet: readonly (readonly [string, boolean])[] = [
    ['firstTimestamp', textAt(event, 'firstTimestamp') !== ''],
    ['lastTimestamp', textAt(event, 'lastTimestamp') !== ''],
    ['count', countAt(event, 'count') !== 0],
    ['source', textAt(source, 'component') !== '' || textAt(source, 'host') !== ''],
  ];
  return [
    ...seriesErrors(event),
    ...(isTimed(event) ? [] : [required('eventTime')]),
    ...(type === 'Normal' || type === 'Warning' ? [] : [invalid('type', '', `has invalid value: ${type}`)]),
    ...isSet.flatMap(([key, is]) => (is ? [invalid(key, '', 'needs to be unset')] : [])),
  ];
}

function seriesErrors({ series = null }: JsonObject): Errors {
  if (!isObject(series)) return [];
  return [
    ...(countAt(series, 'count') < 2 ? [invalid('series.count', '', 'should be at least 2')] : []),
    ...(textAt(series, 'lastObservedTime') === '' ? [required('series.lastObservedTime')] : []),
  ];
}

/** Field in the refusal, key of the stored form, and how the real server's own code shows a value of it. */
const FIXED: readonly (readonly [string, string, (value: Json) => Json])[] = [
  ['involvedObject', 'involvedObject', shownReference],
  ['reason', 'reason', shownText],
  ['message', 'message', shownText],
  ['source', 'source', shownSource],
  ['firstTimestamp', 'firstTimestamp', value => value],
  ['lastTimestamp', 'lastTimestamp', value => value],
  ['count', 'count', value => value ?? 0],
  // Asked twice, and told twice.
  ['reason', 'reason', shownText],
  ['type', 'type', shownText],
  ['eventTime', 'eventTime', value => value],
  ['action', 'action', shownText],
  ['related', 'related', value => (value === null ? null : shownReference(value))],
  ['reportingController', 'reportingComponent', shownText],
  ['reportingInstance', 'reportingInstance', shownText],
];

function changeErrors(event: JsonObject, old: JsonObject): Errors {
  const series = sameJson(event.series ?? null, old.series ?? null) ? [] : seriesErrors(event);
  const changed = FIXED.flatMap(([field, key, shown]) => {
    const [next, before] = [shown(event[key] ?? null), shown(old[key] ?? null)];
    return sameJson(next, before) ? [] : [invalid(field, next, 'field is immutable')];
  });
  return [...series, ...changed];
}

function shownText(value: Json): Json {
  return value ?? '';
}

function shownReference(value: Json): JsonObject {
  const reference = isObject(value) ? value : {};
  return {
    Kind: textAt(reference, 'kind'),
    Namespace: textAt(reference, 'namespace'),
    Name: textAt(reference, 'name'),
    UID: textAt(reference, 'uid'),
    APIVersion: textAt(reference, 'apiVersion'),
    ResourceVersion: textAt(reference, 'resourceVersion'),
    FieldPath: textAt(reference, 'fieldPath'),
  };
}

function shownSource(value: Json): JsonObject {
  const source = isObject(value) ? value : {};
  return { Component: textAt(source, 'component'), Host: textAt(source, 'host') };
}
