import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../parts.ts';
import { sameBesidesTimes } from './ownership.ts';

const entry = (manager: string, time: string): JsonObject => ({ manager, operation: 'Apply', time, fieldsV1: {} });
const owned = (...managedFields: readonly JsonObject[]): JsonObject => ({ metadata: { name: 'a', managedFields } });

test('owners in another order, by the times of their writes, make no other object', () => {
  const before = owned(entry('one', '2026-01-01T00:00:00Z'), entry('two', '2026-01-01T00:00:01Z'));
  const after = owned(entry('two', '2026-01-01T00:00:01Z'), entry('one', '2026-01-01T00:00:02Z'));

  assert.ok(sameBesidesTimes(before, after));
});

test('another owner makes another object', () => {
  const time = '2026-01-01T00:00:00Z';

  assert.ok(
    !sameBesidesTimes(owned(entry('one', time), entry('two', time)), owned(entry('one', time), entry('three', time))),
  );
});
