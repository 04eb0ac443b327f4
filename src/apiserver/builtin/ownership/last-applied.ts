// The annotation in which client-side `kubectl apply` keeps what it applied: server-side apply by kubectl may take over
// what it says, and keeps it true.

import type { Json, JsonObject, Resource } from '../../parts.ts';
import { isList, isObject, objectAt, textAt } from '../json.ts';
import { compare } from './compare.ts';
import { difference, EMPTY, type FieldSet, union } from './field-set.ts';
import { membersOf } from './members.ts';
import { rootSchema } from './root-schema.ts';

const ANNOTATION = 'kubectl.kubernetes.io/last-applied-configuration';

/** kubectl's own manager: anybody else who applies does not move over from client-side apply. */
const KUBECTL = 'kubectl';

function lastApplied(object: JsonObject | undefined): string {
  return object === undefined ? '' : textAt(objectAt(objectAt(object, 'metadata'), 'annotations'), ANNOTATION);
}

/** Fields that kubectl applied client-side and that are still as it left them: taking them over is no conflict. */
export function ownByAnnotation(resource: Resource, live: JsonObject | undefined, manager: string): FieldSet {
  const text = manager === KUBECTL ? lastApplied(live) : '';
  if (text === '' || live === undefined) return EMPTY;
  const applied = parsed(text);
  if (applied === undefined) return EMPTY;
  const schema = rootSchema(resource);
  const { added, modified, removed } = compare(schema, applied, live);
  return difference(membersOf(schema, applied), union(union(added, modified), removed));
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value: Json = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    // An annotation is anybody's text: one that is no configuration says nothing.
    return undefined;
  }
}

/** The result of kubectl's apply, with the annotation saying what was applied now; objects without it get none. */
export function withLastApplied(object: JsonObject, applied: JsonObject, manager: string): JsonObject {
  if (manager !== KUBECTL || lastApplied(object) === '') return object;
  const metadata = objectAt(object, 'metadata');
  const annotations = { ...objectAt(metadata, 'annotations'), [ANNOTATION]: `${JSON.stringify(stated(applied))}\n` };
  return { ...object, metadata: { ...metadata, annotations } };
}

/** The configuration without the annotation itself, keys sorted as Go writes them. */
function stated(applied: JsonObject): Json {
  const { managedFields: _, annotations, ...metadata } = objectAt(applied, 'metadata');
  if (!isObject(annotations)) return sorted({ ...applied, metadata });
  const { [ANNOTATION]: __, ...others } = annotations;
  return sorted({ ...applied, metadata: { ...metadata, annotations: others } });
}

function sorted(value: Json): Json {
  if (isList(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map(key => [key, sorted(value[key] ?? null)]),
  );
}
