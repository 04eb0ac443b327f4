import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, type ApiUnderTest, anApi, metaOf, versionOf } from './api-double.ts';
import type { JsonObject } from './parts.ts';
import { objectAt } from './rules/json.ts';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const DEFINITION = `${DEFINITIONS}/gadgets.example.com`;
const GADGETS = '/apis/example.com/v1/namespaces/default/gadgets';

const version = (name: string, more: JsonObject = {}): JsonObject => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
  ...more,
});

const definition = (versions: readonly JsonObject[], names: JsonObject = {}): JsonObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'gadgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'gadgets', kind: 'Gadget', shortNames: ['gg'], ...names },
    versions: [...versions],
  },
});

const STATUS_AND_SCALE = {
  subresources: {
    status: {},
    scale: {
      specReplicasPath: '.spec.replicas',
      statusReplicasPath: '.status.replicas',
      labelSelectorPath: '.status.selector',
    },
  },
};

const COLORED = {
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: { spec: { type: 'object', properties: { color: { type: 'string' } } } },
    },
  },
};

async function withGadgets(...versions: readonly JsonObject[]): Promise<ApiUnderTest> {
  const api = await anApi();
  const answer = await api.create(DEFINITIONS, definition(versions.length === 0 ? [version('v1')] : versions));
  assert.equal(answer.status, 201, answer.text);
  return api;
}

const make = (api: ApiUnderTest, name: string, more: JsonObject = {}): Promise<Answer> => {
  const metadata = { name, ...objectAt(more, 'metadata') };
  return api.create(GADGETS, { apiVersion: 'example.com/v1', kind: 'Gadget', ...more, metadata });
};

test('a definition is established as it is created, and its objects are served', async () => {
  const api = await withGadgets();

  const read = await api.get(DEFINITION);
  const made = await make(api, 'a', { spec: { x: 1 } });
  const list = await api.get(GADGETS);

  const conditions = objectAt(read.body, 'status').conditions as JsonObject[];
  assert.deepEqual(
    conditions.map(({ type, status }) => [type, status]),
    [
      ['NamesAccepted', 'True'],
      ['Established', 'True'],
    ],
  );
  assert.equal(made.status, 201);
  assert.equal(list.body.kind, 'GadgetList');
  assert.equal((list.body.items as JsonObject[])[0]?.kind, 'Gadget');
});

test('discovery shows a new kind at once, in both forms', async () => {
  const api = await withGadgets(version('v1', STATUS_AND_SCALE));

  const old = await api.get('/apis/example.com/v1');
  const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
  const all = await api.get('/apis', { headers: { accept } });

  assert.deepEqual(
    (old.body.resources as JsonObject[]).map(resource => resource.name),
    ['gadgets', 'gadgets/status', 'gadgets/scale'],
  );
  const group = (all.body.items as JsonObject[]).find(item => metaOf(item).name === 'example.com');
  assert.equal(JSON.stringify(group).includes('"resource":"gadgets"'), true);
});

test('names that another definition has are not accepted, and nothing is served under them', async () => {
  const api = await withGadgets();
  const rival = {
    ...definition([version('v1')], { plural: 'widgets', listKind: 'Widgets' }),
    metadata: { name: 'widgets.example.com' },
  };

  await api.create(DEFINITIONS, rival);
  const answer = await api.get(`${DEFINITIONS}/widgets.example.com`);

  const conditions = objectAt(answer.body, 'status').conditions as JsonObject[];
  assert.deepEqual(
    conditions.map(({ status, reason }) => [status, reason]),
    [
      ['False', 'KindConflict'],
      ['False', 'NotAccepted'],
    ],
  );
  assert.equal((await api.get('/apis/example.com/v1/widgets')).status, 404);
});

test('a definition that waits for a name gets it when the one that had it is gone', async () => {
  const api = await withGadgets();
  const rival = {
    ...definition([version('v1')], { plural: 'widgets', listKind: 'Widgets' }),
    metadata: { name: 'widgets.example.com' },
  };
  await api.create(DEFINITIONS, rival);
  const refused = await api.get('/apis/example.com/v1/widgets');
  const watch = await api.watch(DEFINITIONS);
  await watch.said(2);

  await api.delete(DEFINITION);
  const events = await watch.said(4);

  assert.equal(refused.status, 404);
  assert.deepEqual(events, [
    'MODIFIED gadgets.example.com',
    'MODIFIED gadgets.example.com',
    'DELETED gadgets.example.com',
    'MODIFIED widgets.example.com',
  ]);
  assert.equal((await api.get('/apis/example.com/v1/widgets')).status, 200);
});

test('each name that is taken is refused under its own reason', async () => {
  const api = await withGadgets();
  const cases: readonly (readonly [JsonObject, string])[] = [
    [{ kind: 'One', singular: 'gadget' }, 'SingularConflict'],
    [{ kind: 'Two', shortNames: ['gg', 'tw'] }, 'ShortNamesConflict'],
    [{ kind: 'Three', listKind: 'GadgetList' }, 'ListKindConflict'],
  ];
  for (const [names, reason] of cases) {
    const plural = `${String(names.kind).toLowerCase()}s`;
    const rival = {
      ...definition([version('v1')], { shortNames: [], plural, ...names }),
      metadata: { name: `${plural}.example.com` },
    };
    await api.create(DEFINITIONS, rival);
    const answer = await api.get(`${DEFINITIONS}/${plural}.example.com`);
    const conditions = objectAt(answer.body, 'status').conditions as JsonObject[];
    assert.equal(conditions[0]?.reason, reason, answer.text);
  }
});

test('a definition whose name is not plural and group is refused', async () => {
  const api = await anApi();

  const answer = await api.create(DEFINITIONS, { ...definition([version('v1')]), metadata: { name: 'other' } });

  assert.equal(answer.status, 422);
  assert.match(String(answer.body.message), /must be spec\.names\.plural\+"\."\+spec\.group/);
});

test('versions without conversion show one object under each of their names', async () => {
  const api = await withGadgets(version('v1'), version('v2'));
  const made = await make(api, 'a', { spec: { x: 1 } });

  const asV2 = await api.get('/apis/example.com/v2/namespaces/default/gadgets/a');
  const same = await api.update('/apis/example.com/v2/namespaces/default/gadgets/a', asV2.body);

  assert.equal(asV2.body.apiVersion, 'example.com/v2');
  assert.deepEqual(asV2.body.spec, { x: 1 });
  assert.equal(versionOf(same.body), versionOf(made.body));
});

test('with a status subresource, status and the rest are written apart and only the rest is counted', async () => {
  const api = await withGadgets(version('v1', STATUS_AND_SCALE));
  const made = await make(api, 'a', { spec: { x: 1 }, status: { y: 1 } });

  const status = await api.patch(`${GADGETS}/a/status`, {
    spec: { x: 2 },
    status: { y: 2 },
    metadata: { labels: { l: 'm' } },
  });
  const spec = await api.patch(`${GADGETS}/a`, { spec: { x: 3 }, status: { y: 3 } });

  assert.equal(made.body.status, undefined);
  assert.deepEqual([status.body.spec, status.body.status], [{ x: 1 }, { y: 2 }]);
  assert.deepEqual([metaOf(status.body).labels, metaOf(status.body).generation], [undefined, 1]);
  assert.deepEqual([spec.body.spec, spec.body.status, metaOf(spec.body).generation], [{ x: 3 }, { y: 2 }, 2]);
});

test('without a status subresource, status is a field like any other', async () => {
  const api = await withGadgets();
  await make(api, 'a');

  const answer = await api.patch(`${GADGETS}/a`, { status: { y: 1 } });
  const sub = await api.get(`${GADGETS}/a/status`);

  assert.deepEqual([answer.body.status, metaOf(answer.body).generation], [{ y: 1 }, 2]);
  assert.equal(sub.status, 404);
});

test('scale reads and writes where the definition says', async () => {
  const api = await withGadgets(version('v1', STATUS_AND_SCALE));
  await make(api, 'a', { spec: { replicas: 2 } });
  await api.patch(`${GADGETS}/a/status`, { status: { replicas: 1, selector: 'app=a' } });

  const read = await api.get(`${GADGETS}/a/scale`);
  const scaled = await api.patch(`${GADGETS}/a/scale`, { spec: { replicas: 5 } });
  const negative = await api.patch(`${GADGETS}/a/scale`, { spec: { replicas: -1 } });

  assert.deepEqual([read.body.spec, read.body.status], [{ replicas: 2 }, { replicas: 1, selector: 'app=a' }]);
  assert.equal(objectAt(scaled.body, 'spec').replicas, 5);
  assert.equal(objectAt((await api.get(`${GADGETS}/a`)).body, 'spec').replicas, 5);
  assert.equal(negative.status, 422);
});

test('an update of a custom resource needs its version', async () => {
  const api = await withGadgets();
  await make(api, 'a');

  const answer = await api.update(`${GADGETS}/a`, {
    apiVersion: 'example.com/v1',
    kind: 'Gadget',
    metadata: { name: 'a' },
  });

  assert.match(
    String(answer.body.message),
    /metadata\.resourceVersion: Invalid value: 0: must be specified for an update$/,
  );
});

test('printer columns of the definition make the Table', async () => {
  const columns = [
    { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: 'Since', type: 'date', jsonPath: '.spec.since' },
    { name: 'First', type: 'integer', jsonPath: '.spec.numbers[0]', priority: 1 },
  ];
  const api = await withGadgets(version('v1', { additionalPrinterColumns: columns }));
  const conditions = [{ type: 'Ready', status: 'True' }];
  await make(api, 'a', { spec: { since: '2025-12-31T23:00:00Z', numbers: [7] }, status: { conditions } });
  await make(api, 'b');

  const table = await api.get(GADGETS, { headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' } });

  assert.deepEqual(
    (table.body.rows as JsonObject[]).map(row => row.cells),
    [
      ['a', 'True', '60m', 7],
      ['b', null, null, null],
    ],
  );
});

test('selectable fields of the definition select', async () => {
  const api = await withGadgets(version('v1', { selectableFields: [{ jsonPath: '.spec.color' }], ...COLORED }));
  await make(api, 'a', { spec: { color: 'red' } });
  await make(api, 'b', { spec: { color: 'blue' } });

  const list = await api.get(GADGETS, { query: 'fieldSelector=spec.color%3Dred' });

  assert.deepEqual(
    (list.body.items as JsonObject[]).map(item => metaOf(item).name),
    ['a'],
  );
});

test('a deleted definition takes its objects with it, waiting for those that are held', async () => {
  const api = await withGadgets();
  await make(api, 'free');
  await make(api, 'held', { metadata: { finalizers: ['a.b/c'] } });

  const objects = await api.watch(GADGETS);
  const definitions = await api.watch(DEFINITIONS);
  await Promise.all([objects.said(2), definitions.next()]);

  const marked = await api.delete(DEFINITION);
  assert.deepEqual(await objects.said(2), ['DELETED free', 'MODIFIED held']);
  const refused = await make(api, 'late');
  const left = await api.get(GADGETS);
  const released = await api.patch(`${GADGETS}/held`, { metadata: { finalizers: null } });
  assert.deepEqual(await definitions.said(3), [
    'MODIFIED gadgets.example.com',
    'MODIFIED gadgets.example.com',
    'DELETED gadgets.example.com',
  ]);

  assert.deepEqual(metaOf(marked.body).finalizers, ['customresourcecleanup.apiextensions.k8s.io']);
  assert.equal(refused.status, 403);
  assert.equal((left.body.items as unknown[]).length, 1);
  assert.equal(released.status, 200);
  assert.equal((await api.get(DEFINITION)).status, 404);
  assert.equal((await api.get(GADGETS)).text, '404 page not found\n');
});

test('custom resources have no protobuf and no strategic patch', async () => {
  const api = await withGadgets();
  await make(api, 'a');

  const protobuf = await api.get(`${GADGETS}/a`, { headers: { accept: 'application/vnd.kubernetes.protobuf' } });
  const patch = await api.patch(`${GADGETS}/a`, {}, 'strategic-merge-patch+json');

  assert.deepEqual([protobuf.status, patch.status], [406, 415]);
});
