import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anApi } from '../api-double.ts';
import { standingObjects } from '../builtin/index.ts';

const CLASSES = '/apis/scheduling.k8s.io/v1/priorityclasses';

test("the system's priorities are there from the start, and stay", async () => {
  const api = await anApi({ bootstrapObjects: standingObjects });
  const mine = { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'mine' }, value: 7 };
  await api.create(CLASSES, mine);

  const systems = await api.delete(`${CLASSES}/system-node-critical`);
  const own = await api.delete(`${CLASSES}/mine`);

  assert.equal(systems.status, 403);
  assert.match(String(systems.body.message), /this is a system priority class and cannot be deleted$/);
  assert.equal(own.status, 200);
});
