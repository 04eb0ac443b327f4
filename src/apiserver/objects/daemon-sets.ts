// DaemonSets: an annotation counts the changes of their template, for clients that look there.

import type { JsonObject } from '../parts.ts';
import { objectAt, sameJson, stringAt, withMeta } from '../rules/json.ts';
import type { Strategy } from './strategy.ts';

const COUNT = 'deprecated.daemonset.template.generation';

export const daemonSets: Strategy = {
  decode: object => (annotationsOf(object)[COUNT] === undefined ? counted(object, 0) : object),
  prepareCreate: object => counted(object, 1),
  prepareUpdate: (object, old) => {
    const isSame = sameJson(objectAt(object, 'spec').template, objectAt(old, 'spec').template);
    return counted(object, countOf(old) + (isSame ? 0 : 1));
  },
};

const annotationsOf = (object: JsonObject): JsonObject => objectAt(objectAt(object, 'metadata'), 'annotations');

const countOf = (object: JsonObject): number => Number(stringAt(annotationsOf(object), COUNT)) || 0;

const counted = (object: JsonObject, count: number): JsonObject =>
  withMeta(object, { annotations: { ...annotationsOf(object), [COUNT]: String(count) } });
