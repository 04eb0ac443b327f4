// Which schemas a document needs: those that its operations name, and all that these refer to.

import type { Json, JsonObject, Resource } from '../../parts.ts';
import { isList, isObject } from '../json.ts';
import { REF_PREFIX, schemaOf } from '../schemas.ts';
import { customSchemas } from './custom.ts';
import { type Operation, WATCH_EVENT } from './operations.ts';

/** Sorted by name. */
export function componentsOf(
  resources: readonly Resource[],
  operations: readonly Operation[],
): Readonly<Record<string, JsonObject>> {
  const custom = Object.assign(
    {},
    ...resources.filter(resource => resource.origin === 'custom').map(customSchemas),
  ) as Record<string, JsonObject>;
  const found = new Map<string, JsonObject>();
  const reach = (name: string): void => {
    const schema = Object.hasOwn(custom, name) ? custom[name] : schemaOf(name);
    if (schema === undefined || found.has(name)) return;
    found.set(name, schema);
    for (const reference of referencesIn(schema)) reach(reference);
  };
  for (const { body, answer } of operations) {
    if (body !== undefined) reach(body);
    if (answer !== undefined) reach(answer);
  }
  reach(WATCH_EVENT);
  const names = [...found.keys()].sort();
  return Object.fromEntries(names.map(name => [name, withKinds(name, found.get(name) ?? {}, operations)]));
}

function* referencesIn(value: Json): Generator<string> {
  if (isList(value)) for (const item of value) yield* referencesIn(item);
  if (!isObject(value)) return;
  for (const [key, inner] of Object.entries(value)) {
    const isReference = key === '$ref' && typeof inner === 'string' && inner.startsWith(REF_PREFIX);
    if (isReference) yield inner.slice(REF_PREFIX.length);
    else yield* referencesIn(inner);
  }
}

const SHARED_KINDS = ['DeleteOptions', 'WatchEvent'];

/** Two types are kinds of every group: the document says so for its own. */
function withKinds(name: string, schema: JsonObject, operations: readonly Operation[]): JsonObject {
  const kind = SHARED_KINDS.find(candidate => name === `io.k8s.apimachinery.pkg.apis.meta.v1.${candidate}`);
  if (kind === undefined) return schema;
  const versions = new Set(['/v1', ...operations.map(({ kind: { group, version } }) => `${group}/${version}`)]);
  const kinds = [...versions].sort().map(text => {
    const [group = '', version = ''] = text.split('/');
    return { group, kind, version };
  });
  return { ...schema, 'x-kubernetes-group-version-kind': kinds };
}
