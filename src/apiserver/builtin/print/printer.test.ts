import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../parts.ts';
import recorded from '../recorded/tables.generated.json' with { type: 'json' };
import { resources } from '../resources.ts';
import { printer } from './printer.ts';

const rows: Readonly<Record<string, { readonly object: JsonObject; readonly cells: readonly unknown[] }>> = recorded;
const NOW = Date.parse('2024-05-06T07:08:09Z');

for (const [name, { object, cells }] of Object.entries(rows)) {
  test(`${name} prints as on the real server: ${cells.join(' ')}`, () => {
    const resource = resourceOf(object);

    const ours = printer.cells(resource, object, NOW);

    assert.deepEqual(ours.map(withoutAges), cells);
    assert.equal(printer.columns(resource)?.length, cells.length);
  });
}

test('an age is told from the time that is given', () => {
  const nodes = resources.find(resource => resource.plural === 'nodes');
  assert.ok(nodes !== undefined);
  const node = { metadata: { name: 'mac-0', creationTimestamp: '2024-05-06T07:05:04Z' } };

  assert.equal(printer.cells(nodes, node, NOW)[3], '3m5s');
});

test('a kind without cells of its own leaves its columns to the caller', () => {
  const pods = resources.find(resource => resource.plural === 'pods');
  assert.ok(pods !== undefined);

  assert.equal(printer.columns({ ...pods, storageName: 'things.example.com' }), undefined);
});

const withoutAges = (cell: unknown): unknown =>
  typeof cell === 'string'
    ? cell.replace(/^(\d+[smhdy]){1,2}$/, 'AGE').replace(/\((\d+[smhdy]){1,2} ago\)/, '(AGE ago)')
    : cell;

function resourceOf(object: JsonObject): (typeof resources)[number] {
  const found = resources.find(
    ({ group, version, kind }) =>
      kind === object.kind && (group === '' ? version : `${group}/${version}`) === object.apiVersion,
  );
  assert.ok(found !== undefined, String(object.kind));
  return found;
}
