// Which container of a Pod a log, exec or attach is about.

import { badRequest } from '../answer/status.ts';
import type { JsonObject } from '../parts.ts';
import { isObject, listAt, objectAt, stringAt } from '../rules/json.ts';

const LISTS = ['initContainers', 'containers', 'ephemeralContainers'] as const;

/** The one that was asked for, or the only one. */
export function containerOf(pod: JsonObject, asked: string): string {
  const name = stringAt(objectAt(pod, 'metadata'), 'name');
  const main = namesIn(pod, 'containers');
  if (asked === '' && main.length === 1) return main[0] ?? '';
  const all = LISTS.flatMap(list => namesIn(pod, list));
  if (asked === '') {
    throw badRequest(`a container name must be specified for pod ${name}, choose one of: [${all.join(' ')}]`);
  }
  if (!all.includes(asked)) throw badRequest(`container ${asked} is not valid for pod ${name}`);
  return asked;
}

const namesIn = (pod: JsonObject, list: string): readonly string[] =>
  listAt(objectAt(pod, 'spec'), list)
    .filter(isObject)
    .map(container => stringAt(container, 'name'));
