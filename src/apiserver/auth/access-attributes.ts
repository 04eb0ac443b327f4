// The question that an access review asks, as the authorizers see it.

import type { Identity } from '../../kube/transport.ts';
import type { Attributes, Json, JsonObject } from '../parts.ts';
import { listAt, objectAt, textAt, textsAt } from './fields.ts';

/** Of `resourceAttributes`, else of `nonResourceAttributes`. */
export function accessAttributes(identity: Identity, spec: JsonObject): Attributes {
  const resource = objectAt(spec, 'resourceAttributes');
  const path = objectAt(spec, 'nonResourceAttributes');
  return {
    identity,
    verb: textAt(resource ?? path, 'verb'),
    group: textAt(resource, 'group'),
    version: textAt(resource, 'version') || '*',
    resource: textAt(resource, 'resource'),
    subresource: textAt(resource, 'subresource'),
    namespace: textAt(resource, 'namespace'),
    name: textAt(resource, 'name'),
    path: textAt(path, 'path'),
    fieldSelector: selectorText(objectAt(resource, 'fieldSelector')),
    labelSelector: selectorText(objectAt(resource, 'labelSelector')),
  };
}

/** Requirements that a plain selector cannot say are left out: leaving one out asks for more, never for less. */
function selectorText(selector: JsonObject | undefined): string {
  const raw = textAt(selector, 'rawSelector');
  if (raw !== '') return raw;
  return listAt(selector, 'requirements').flatMap(equality).join(',');
}

function equality(requirement: Json): readonly string[] {
  const values = textsAt(requirement, 'values');
  if (textAt(requirement, 'operator') !== 'In' || values.length !== 1) return [];
  const escaped = (values[0] ?? '').replaceAll(/[\\,=]/g, match => `\\${match}`);
  return [`${textAt(requirement, 'key')}=${escaped}`];
}
