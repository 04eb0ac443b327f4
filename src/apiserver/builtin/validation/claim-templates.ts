// Claims that are made for somebody: what a template of one must be.

import type { JsonObject } from '../../parts.ts';
import { labelKeyProblems } from '../../request/label-rules.ts';
import { forbidden, invalid, required } from '../../schema/field-errors.ts';
import { isObject, objectAt } from '../json.ts';
import { claimSpecErrors } from './claims.ts';
import { type Errors, labelMapErrors } from './texts.ts';

const ALLOWED = ['annotations', 'labels'];

/** The claim of a volume that lives as long as its Pod. */
export function ephemeralVolumeErrors(path: string, source: JsonObject): Errors {
  const at = `${path}.volumeClaimTemplate`;
  const { volumeClaimTemplate: template } = source;
  if (!isObject(template)) return [required(at)];
  return [...templateMetaErrors(`${at}.metadata`, objectAt(template, 'metadata')), ...specErrors(at, template)];
}

const specErrors = (path: string, template: JsonObject): Errors =>
  claimSpecErrors(`${path}.spec`, objectAt(template, 'spec'));

/** Nothing but labels and annotations is taken over. */
function templateMetaErrors(path: string, meta: JsonObject): Errors {
  const { creationTimestamp: _, ...others } = meta;
  return [
    ...Object.keys(objectAt(meta, 'annotations')).flatMap(key =>
      labelKeyProblems(key.toLowerCase()).map(why => invalid(`${path}.annotations`, key, why)),
    ),
    ...labelMapErrors(`${path}.labels`, objectAt(meta, 'labels')),
    ...Object.keys(others)
      .filter(key => !ALLOWED.includes(key))
      .map(key => forbidden(`${path}.${key}`, 'cannot be set')),
  ];
}
