import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FieldOwnership, JsonObject, Resource } from '../../parts.ts';
import { customSchemaWork } from '../../schema/index.ts';
import { mergePatch } from '../../verbs/merge-patch.ts';
import { defaultAdmission } from '../admission.ts';
import { isObject, objectAt, objectsAt } from '../json.ts';
import recorded from '../recorded/ownership.generated.json' with { type: 'json' };
import { resources } from '../resources.ts';
import { builtinSchema } from '../schema-work.ts';
import { fieldOwnership } from './ownership.ts';
import type { Scenario, Write } from './scenario-double.ts';
import { scenarios } from './scenarios-double.ts';
import { shownAnswer } from './shown-double.ts';

const TIME = '2024-01-02T03:04:05Z';
const answers: Readonly<Record<string, readonly unknown[]>> = recorded;

for (const [index, scenario] of scenarios.entries()) {
  test(scenario.says, () => {
    const resource = resourceOf(scenario);
    let live: JsonObject | undefined;
    for (const [step, write] of scenario.writes.entries()) {
      const answer = perform({ scenario, resource, live, name: `scenario-${index}` }, write);

      assert.deepEqual(shownAnswer(answer), answers[scenario.says]?.[step], `write ${step + 1}, by ${write.by}`);
      if (answer.kind !== 'Status') live = answer;
    }
  });
}

test('a write that changes nothing leaves the record as it was', () => {
  const resource = resourceOf({ plural: 'configmaps', apiVersion: 'v1' });
  const before = track(resource, undefined, { data: { a: '1' } }, '2024-01-01T00:00:00Z');

  const after = track(resource, before, { ...before }, '2024-02-02T00:00:00Z');

  assert.deepEqual(after, before);
});

test('a client that sends no record loses none, one that sends an empty entry starts over', () => {
  const resource = resourceOf({ plural: 'configmaps', apiVersion: 'v1' });
  const before = track(resource, undefined, { metadata: { name: 'a' }, data: { a: '1' } }, TIME);

  const unaware = track(resource, before, { metadata: { name: 'a' }, data: { a: '1' } }, TIME);
  const reset = track(resource, before, { metadata: { name: 'a', managedFields: [{}] }, data: { a: '1' } }, TIME);

  assert.deepEqual(objectAt(unaware, 'metadata').managedFields, objectAt(before, 'metadata').managedFields);
  assert.equal(objectAt(reset, 'metadata').managedFields, undefined);
});

test('nobody owns the metadata as a whole, nor what the system writes into it', () => {
  const resource = { ...resourceOf({ plural: 'configmaps', apiVersion: 'v1' }), origin: 'custom' as const };

  const object = track(resource, undefined, { metadata: { name: 'a', uid: 'u' }, data: { a: '1' } }, TIME);

  const [entry] = objectsAt(objectAt(object, 'metadata'), 'managedFields');
  assert.deepEqual(Object.keys(objectAt(entry ?? {}, 'fieldsV1')), ['f:data']);
});

test('what was there before anybody kept a record belongs to a manager of that name', () => {
  const resource = resourceOf({ plural: 'configmaps', apiVersion: 'v1' });
  const live = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { a: '1' } };

  const answer = fieldOwnership.apply({ ...applyOf(resource, { data: { a: '2' } }), live });

  assert.deepEqual(answer, {
    conflicts: [
      {
        reason: 'FieldManagerConflict',
        message: 'conflict with "before-first-apply" using v1',
        field: '.data.a',
      },
    ],
  });
});

test('of more than ten updaters the oldest share one entry, and no field is forgotten', () => {
  const resource = resourceOf({ plural: 'configmaps', apiVersion: 'v1' });
  let object: JsonObject = { metadata: { name: 'a' }, data: {} };
  for (let day = 10; day < 25; day++) {
    const after = { ...object, data: { ...objectAt(object, 'data'), [`k${day}`]: '1' } };
    const time = `2024-01-${day}T00:00:00Z`;
    object = fieldOwnership.track({ resource, before: object, after, manager: `m${day}`, subresource: '', time });
  }

  const entries = objectsAt(objectAt(object, 'metadata'), 'managedFields');
  const fields = entries.flatMap(entry => Object.keys(objectAt(objectAt(entry, 'fieldsV1'), 'f:data')));
  assert.equal(entries.length, 10);
  assert.equal(entries[0]?.manager, 'ancient-changes');
  assert.equal(new Set(fields.filter(field => field !== '.')).size, 15);
});

function track(resource: Resource, before: JsonObject | undefined, after: JsonObject, time: string): JsonObject {
  return fieldOwnership.track({ resource, before, after, manager: 'ann', subresource: '', time });
}

type ApplyCall = Parameters<FieldOwnership['apply']>[0];

const applyOf = (resource: Resource, body: JsonObject): ApplyCall => ({
  resource,
  live: undefined,
  applied: { apiVersion: 'v1', kind: resource.kind, metadata: { name: 'a' }, ...body },
  manager: 'ann',
  force: false,
  subresource: '',
  time: TIME,
});

interface Situation {
  readonly scenario: Scenario;
  readonly resource: Resource;
  readonly live: JsonObject | undefined;
  readonly name: string;
}

/** What the request handler does with the parts, as far as ownership goes. */
function perform(situation: Situation, write: Write): JsonObject {
  try {
    return written(situation, write);
  } catch (error) {
    if (isObject(error as JsonObject) && isObject((error as { status?: JsonObject }).status)) {
      return (error as { status: JsonObject }).status;
    }
    throw error;
  }
}

function written(situation: Situation, { by, how, body }: Write): JsonObject {
  const { resource, live, scenario, name } = situation;
  const subresource = how.endsWith('status') ? 'status' : '';
  const call = { resource, manager: by, subresource, time: TIME };
  if (how === 'merge' || how === 'status') {
    const after = endpointOnly(read(situation, mergePatch(live, body) as JsonObject), live, subresource);
    return admitted(situation, fieldOwnership.track({ ...call, before: live, after }), subresource);
  }
  const { apiVersion, kind } = scenario;
  const stated = { apiVersion, kind, ...body, metadata: { ...objectAt(body, 'metadata'), name } };
  if (how === 'create') {
    const after = read(situation, stated);
    return admitted(situation, fieldOwnership.track({ ...call, before: undefined, after }), subresource);
  }
  const answer = fieldOwnership.apply({ ...call, live, applied: stated, force: how === 'force' });
  if ('object' in answer) {
    return admitted(situation, endpointOnly(read(situation, answer.object), live, subresource), subresource);
  }
  return { kind: 'Status', code: 409, details: { causes: answer.conflicts.map(cause => ({ ...cause })) } };
}

function read({ resource, scenario }: Situation, object: JsonObject): JsonObject {
  const namespace = scenario.cluster === true ? {} : { namespace: 'default' };
  const schema = resource.origin === 'custom' ? customSchemaWork : builtinSchema;
  return schema.normalize(resource, { ...object, metadata: { ...objectAt(object, 'metadata'), ...namespace } }).object;
}

/** What this endpoint does not write is as it was. */
function endpointOnly(object: JsonObject, live: JsonObject | undefined, subresource: string): JsonObject {
  if (live === undefined) return object;
  if (subresource === '') return live.status === undefined ? object : { ...object, status: live.status };
  const isCustom = String(object.apiVersion).startsWith('example.com');
  const managedFields = objectAt(object, 'metadata').managedFields ?? [];
  const metadata = isCustom ? { ...objectAt(live, 'metadata'), managedFields } : objectAt(object, 'metadata');
  return { ...object, metadata, ...(live.spec === undefined ? {} : { spec: live.spec }) };
}

function admitted({ resource, live }: Situation, object: JsonObject, subresource: string): JsonObject {
  const identity = { name: 'admin', groups: [] };
  const empty = { group: '', version: '', resource: '', namespace: '', name: '', path: '' };
  const attributes = { identity, verb: '', ...empty, subresource, fieldSelector: '', labelSelector: '' };
  const answer = defaultAdmission({ attributes, resource, object, old: live, dryRun: false });
  return 'object' in answer ? (answer.object ?? {}) : {};
}

function resourceOf({
  apiVersion,
  plural,
  definition,
}: Pick<Scenario, 'apiVersion' | 'plural' | 'definition'>): Resource {
  if (definition !== undefined) return customResource(definition);
  const found = resources.find(resource => {
    const own = resource.group === '' ? resource.version : `${resource.group}/${resource.version}`;
    return resource.plural === plural && own === apiVersion;
  });
  assert.ok(found !== undefined, plural);
  return found;
}

function customResource(definition: JsonObject): Resource {
  const spec = objectAt(definition, 'spec');
  const version = objectsAt(spec, 'versions')[0] ?? {};
  const kind = String(objectAt(spec, 'names').kind);
  const plural = String(objectAt(spec, 'names').plural);
  return {
    group: String(spec.group),
    version: String(version.name),
    kind,
    listKind: `${kind}List`,
    plural,
    singular: kind.toLowerCase(),
    namespaced: true,
    shortNames: [],
    categories: [],
    subresources: ['status'],
    verbs: [],
    storageName: `${plural}.${String(spec.group)}`,
    schema: objectAt(objectAt(version, 'schema'), 'openAPIV3Schema'),
    origin: 'custom',
  };
}
