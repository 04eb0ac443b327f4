// What the server creates by itself: with all that a create gives an object, and the server's own mark.

import { kubeTime } from '../base/clock.ts';
import { apiVersionOf, type Core } from './core.ts';
import { isCounted } from './objects/strategy.ts';
import type { Json, JsonObject, Resource } from './parts.ts';
import { isObject, listAt, objectAt, stringAt, withMeta, without } from './rules/json.ts';

/** What it takes to create something. */
export type Making = Pick<Core, 'store' | 'clock' | 'random' | 'parts' | 'registry'>;

/** Creates the object, of a built-in kind, unless one of its name is there; whether it did. */
export async function createdByServer(core: Making, object: JsonObject): Promise<boolean> {
  const resource = core.registry.builtin.find(candidate => isOf(candidate, object));
  if (resource === undefined) return false;
  const metadata = objectAt(object, 'metadata');
  const key = {
    storage: resource.storageName,
    namespace: stringAt(metadata, 'namespace'),
    name: stringAt(metadata, 'name'),
  };
  if (core.store.get(key) !== undefined) return false;
  const time = kubeTime(core.clock.now());
  const filled = withMeta(dated(object, time), {
    uid: core.random.uuid(),
    creationTimestamp: time,
    generation: isCounted(resource) ? 1 : undefined,
  });
  const { kind } = await core.store.write({ ...key, expected: 0, object: marked(core, resource, filled) });
  return kind === 'written';
}

/** Its conditions are so from now on. */
function dated(object: JsonObject, time: string): JsonObject {
  const status = objectAt(object, 'status');
  const conditions = listAt(status, 'conditions').filter(isObject);
  if (conditions.length === 0) return object;
  const since = conditions.map(condition => ({ lastTransitionTime: time, ...condition }));
  return { ...object, status: { ...status, conditions: since } };
}

/** The names under which parts of the real server write; the rest of it is called after itself. */
const SERVER = 'kube-apiserver';
const FLOW = 'flowcontrol.apiserver.k8s.io';
const FLOW_SPEC = 'api-priority-and-fairness-config-producer-v1';
const STATUS_BY: Readonly<Record<string, string>> = {
  [FLOW]: 'api-priority-and-fairness-config-consumer-v1',
  'networking.k8s.io': 'kubernetes-service-cidr-controller',
};

/** The server's mark on what it writes by itself: whoever changes the object later leaves theirs beside it. */
function marked({ parts, clock }: Making, resource: Resource, object: JsonObject): JsonObject {
  if (parts.fieldOwnership === undefined) return object;
  const { track, apply } = parts.fieldOwnership;
  const time = kubeTime(clock.now());
  // The rest of a Namespace is what any of them begins with; a status bears no mark of a create.
  const after = resource.storageName === 'namespaces' ? without(object, 'spec', 'status') : without(object, 'status');
  const manager = resource.group === FLOW ? FLOW_SPEC : SERVER;
  const tracked = track({ resource, before: undefined, after, manager, subresource: '', time });
  const { managedFields } = objectAt(tracked, 'metadata');
  const own = withMeta(object, { managedFields });
  const statusBy = STATUS_BY[resource.group];
  if (statusBy === undefined || listAt(objectAt(object, 'status'), 'conditions').length === 0) return own;
  const { apiVersion = '', kind = '', status = {} } = object;
  const metadata = { name: objectAt(object, 'metadata').name ?? '' };
  const applied = { apiVersion, kind, metadata, status: withoutEmptyReasons(status) };
  const how = { manager: statusBy, force: true, subresource: 'status', time };
  const both = apply({ resource, live: without(own, 'status'), applied, ...how });
  return 'object' in both ? { ...both.object, status } : own;
}

/** An empty reason is shown, and nobody's. */
const withoutEmptyReasons = (status: Json): JsonObject => ({
  conditions: listAt(isObject(status) ? status : {}, 'conditions')
    .filter(isObject)
    .map(condition => (condition.reason === '' ? without(condition, 'reason') : condition)),
});

const isOf = (resource: Resource, object: JsonObject): boolean =>
  resource.kind === object.kind && apiVersionOf(resource) === object.apiVersion;
