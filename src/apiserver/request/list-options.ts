// What a list, watch or deletecollection asks for, read from the query.

import { badRequest } from '../answer/status.ts';
import type { JsonObject, Resource } from '../parts.ts';
import { objectAt } from '../rules/json.ts';
import { parseFieldSelector } from './field-selector.ts';
import { parseLabelSelector } from './label-selector.ts';

export interface ListOptions {
  readonly labelSelector: string;
  readonly fieldSelector: string;
  /** Undefined: everything is selected. */
  readonly selects: ((object: JsonObject) => boolean) | undefined;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  readonly limit: number;
  readonly continueToken: string;
  readonly timeoutSeconds: number | undefined;
  readonly allowWatchBookmarks: boolean;
  readonly sendInitialEvents: boolean | undefined;
}

/** Reads the options; `name` is there when one object is watched by its path. */
export function listOptions(query: URLSearchParams, resource: Resource, name = ''): ListOptions {
  const labelSelector = query.get('labelSelector') ?? '';
  const asked = query.get('fieldSelector') ?? '';
  const fieldSelector = name === '' ? asked : `metadata.name=${name}`;
  return {
    labelSelector,
    fieldSelector,
    selects: selection(resource, labelSelector, fieldSelector),
    resourceVersion: query.get('resourceVersion') ?? '',
    resourceVersionMatch: query.get('resourceVersionMatch') ?? '',
    limit: integer(query, 'limit') ?? 0,
    continueToken: query.get('continue') ?? '',
    timeoutSeconds: integer(query, 'timeoutSeconds'),
    allowWatchBookmarks: truthy(query.get('allowWatchBookmarks')),
    sendInitialEvents: query.has('sendInitialEvents') ? truthy(query.get('sendInitialEvents')) : undefined,
  };
}

/** Go's `strconv.ParseBool`, with "present but empty" read as true. */
export function truthy(value: string | null): boolean {
  return value !== null && !['false', '0', 'f', 'F', 'FALSE', 'False'].includes(value);
}

function integer(query: URLSearchParams, key: string): number | undefined {
  const text = query.get(key);
  if (text === null) return undefined;
  const why = integerProblem(text);
  if (why !== undefined) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: ${why}`);
  return Number(text);
}

/** Go's `strconv.ParseInt` for 64 bits. */
function integerProblem(text: string): string | undefined {
  if (!/^[+-]?\d+$/.test(text)) return 'invalid syntax';
  if (text.length < 19) return undefined;
  return text.length > 100 || BigInt.asIntN(64, BigInt(text)) !== BigInt(text) ? 'value out of range' : undefined;
}

function selection(resource: Resource, labels: string, fields: string): ListOptions['selects'] {
  const byLabels = labels === '' ? undefined : parseLabelSelector(labels);
  if (typeof byLabels === 'object') throw badRequest(byLabels.problem);
  const byFields = fields === '' ? undefined : parseFieldSelector(fields, resource);
  if (typeof byFields === 'object') throw badRequest(byFields.problem);
  if (byLabels === undefined) return byFields;
  const labelled = (object: JsonObject): boolean => byLabels(objectAt(objectAt(object, 'metadata'), 'labels'));
  return byFields === undefined ? labelled : object => labelled(object) && byFields(object);
}
