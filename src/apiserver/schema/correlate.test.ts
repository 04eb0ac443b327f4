import assert from 'node:assert/strict';
import { test } from 'node:test';
import { correlatedItem } from './correlate.ts';
import { structuralOf } from './structural.ts';

const ports = structuralOf({
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['port', 'protocol'],
  items: {
    type: 'object',
    properties: { port: { type: 'integer' }, protocol: { type: 'string', default: 'TCP' } },
  },
});

test('an item of a map continues the one with its keys, and a key that is not set has its default', () => {
  const before = [
    { port: 53, protocol: 'UDP', name: 'dns' },
    { port: 53, name: 'dns-tcp' },
  ];

  assert.equal(correlatedItem(ports, before, { port: 53, protocol: 'TCP' }), before[1]);
  assert.equal(correlatedItem(ports, [{ port: 53, protocol: 'TCP' }], { port: 53 })?.constructor, Object);
  assert.equal(correlatedItem(ports, before, { port: 53, protocol: 'UDP' }), before[0]);
  assert.equal(correlatedItem(ports, before, { port: 80 }), undefined);
});
