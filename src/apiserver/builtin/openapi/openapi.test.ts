import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject, Resource } from '../../parts.ts';
import { isList, isObject, objectAt } from '../json.ts';
import { Reader } from '../protobuf/reader.ts';
import { resources } from '../resources.ts';
import { openApi } from './openapi.ts';

const of = (group: string, version: string): readonly Resource[] =>
  resources.filter(resource => resource.group === group && resource.version === version);

const thing: Resource = {
  group: 'example.com',
  version: 'v1',
  kind: 'Thing',
  listKind: 'ThingList',
  plural: 'things',
  singular: 'thing',
  namespaced: true,
  shortNames: [],
  categories: [],
  subresources: ['status', 'scale'],
  verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
  storageName: 'things.example.com',
  schema: {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        description: 'What is wanted.',
        properties: { port: { 'x-kubernetes-int-or-string': true }, nullable: { type: 'string' } },
      },
    },
  },
  origin: 'custom',
};

test('kubectl explain finds the kind of a resource at its path', () => {
  const document = openApi.v3('apps', 'v1', of('apps', 'v1'));

  const item = objectAt(objectAt(document, 'paths'), '/apis/apps/v1/namespaces/{namespace}/deployments/{name}');

  const kind = objectAt(objectAt(item, 'get'), 'x-kubernetes-group-version-kind');
  assert.deepEqual(kind, { group: 'apps', version: 'v1', kind: 'Deployment' });
});

test('a patch says that it takes fieldValidation and dryRun: kubectl looks before it uses them', () => {
  const document = openApi.v3('', 'v1', of('', 'v1'));

  const item = objectAt(objectAt(document, 'paths'), '/api/v1/namespaces/{namespace}/pods/{name}');

  const names = (objectAt(item, 'patch').parameters as readonly JsonObject[]).map(parameter => parameter.name);
  assert.deepEqual(names, ['dryRun', 'fieldManager', 'fieldValidation', 'force']);
});

test('every reference in every document leads to a schema in it', () => {
  const versions = new Set(resources.map(({ group, version }) => `${group}/${version}`));
  for (const text of versions) {
    const [group = '', version = ''] = text.split('/');
    const document = openApi.v3(group, version, of(group, version));
    const schemas = objectAt(objectAt(document, 'components'), 'schemas');
    const missing = [...references(document)].filter(reference => !Object.hasOwn(schemas, reference));

    assert.deepEqual(missing, [], text);
  }
});

test('the keys by which lists merge are said', () => {
  const document = openApi.v3('', 'v1', of('', 'v1'));

  const schemas = objectAt(objectAt(document, 'components'), 'schemas');
  const containers = objectAt(objectAt(objectAt(schemas, 'io.k8s.api.core.v1.PodSpec'), 'properties'), 'containers');
  assert.equal(containers['x-kubernetes-patch-merge-key'], 'name');
  assert.equal(containers['x-kubernetes-list-type'], 'map');
});

test("a custom kind is described by its CRD's schema, with metadata and kind", () => {
  const document = openApi.v3('example.com', 'v1', [thing]);

  const schemas = objectAt(objectAt(document, 'components'), 'schemas');
  const schema = objectAt(schemas, 'com.example.v1.Thing');
  assert.deepEqual(schema['x-kubernetes-group-version-kind'], [{ group: 'example.com', kind: 'Thing', version: 'v1' }]);
  assert.deepEqual(Object.keys(objectAt(schema, 'properties')).sort(), ['apiVersion', 'kind', 'metadata', 'spec']);
  const scale = objectAt(
    objectAt(document, 'paths'),
    '/apis/example.com/v1/namespaces/{namespace}/things/{name}/scale',
  );
  assert.equal(objectAt(objectAt(scale, 'get'), 'x-kubernetes-group-version-kind').kind, 'Scale');
});

test('version 2 says of a custom kind what it can: no several types, and fields of any name', () => {
  const document = JSON.parse(Buffer.from(openApi.v2([...resources, thing], 'json')).toString());

  const { properties } = document.definitions['com.example.v1.Thing'].properties.spec;
  assert.deepEqual(properties, { port: { 'x-kubernetes-int-or-string': true }, nullable: { type: 'string' } });
  assert.equal(JSON.stringify(document).includes('#/components/'), false);
});

test('the protobuf form holds the same definitions and paths', () => {
  const document = JSON.parse(Buffer.from(openApi.v2(resources, 'json')).toString());

  const reader = new Reader(openApi.v2(resources, 'protobuf'));

  const found: Record<number, string[]> = {};
  for (let field = reader.next(); field !== undefined; field = reader.next()) {
    if (field.number === 8) found[8] = namesIn(reader.message(), 2);
    else if (field.number === 9) found[9] = namesIn(reader.message(), 1);
    else reader.skip(field);
  }
  assert.deepEqual(found[8], Object.keys(document.paths));
  assert.deepEqual(found[9], Object.keys(document.definitions));
});

function namesIn(reader: Reader, number: number): string[] {
  const names: string[] = [];
  for (let field = reader.next(); field !== undefined; field = reader.next()) {
    assert.equal(field.number, number);
    const entry = reader.message();
    assert.equal(entry.next()?.number, 1);
    names.push(entry.string());
  }
  return names;
}

function* references(value: unknown): Generator<string> {
  if (isList(value as JsonObject)) for (const item of value as readonly unknown[]) yield* references(item);
  if (!isObject(value as JsonObject)) return;
  for (const [key, inner] of Object.entries(value as JsonObject)) {
    if (key === '$ref' && typeof inner === 'string') yield inner.replace('#/components/schemas/', '');
    else yield* references(inner);
  }
}
