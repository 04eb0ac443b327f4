import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineError, PippinError } from '../base/errors.ts';
import type { KubeObject } from '../kube/object.ts';
import { done, type Outcome, wait } from '../kube/outcome.ts';
import { settleAll, stages } from './stages.ts';

const machine: KubeObject & { status?: unknown } = {
  apiVersion: 'v1',
  kind: 'Machine',
  metadata: { name: 'mac-0', deletionTimestamp: '2026-01-01T00:00:00Z' },
};

/** An object that says by its condition where the last pass stopped. */
const stoppedAt = (reason: string): KubeObject => ({
  ...machine,
  ...{ status: { conditions: [{ type: 'Deleting', status: 'True', reason }] } },
});

function deletionOf(outcomes: Record<string, () => Promise<Outcome>>) {
  const calls: string[] = [];
  const told: string[] = [];
  const events = { normal: (_: KubeObject, reason: string) => told.push(reason), warning: () => undefined };
  const run = stages<KubeObject, { events: typeof events }>(
    Object.entries(outcomes).map(([name, stage]) => [
      name,
      () => {
        calls.push(name);
        return stage();
      },
    ]),
  );
  return { calls, told, run: (object: KubeObject) => run(object, { events }) };
}

const waiting = async (): Promise<Outcome> => wait({ port: 'cloud', subject: 'host' }, 'the host', 1000);
const ready = async (): Promise<Outcome> => done();

const broken = defineError('PIPPIN_E_TEST_STAGE', { retry: 'backoff', remedy: 'none', says: () => 'it broke' });

test('a stage that waits holds those after it, and names itself', async () => {
  const { run, calls } = deletionOf({ ReleaseHost: ready, RevokeIdentity: waiting, DeleteNode: ready });

  const outcome = await run(machine);

  assert.equal(outcome.kind === 'wait' && outcome.reason, 'RevokeIdentity');
  assert.deepEqual(calls, ['ReleaseHost', 'RevokeIdentity']);
});

test('every pass starts at the first stage, whatever the object says of the last one (del-1)', async () => {
  const { run, calls } = deletionOf({ ReleaseHost: ready, RevokeIdentity: ready });

  await run(stoppedAt('RevokeIdentity'));

  assert.deepEqual(calls, ['ReleaseHost', 'RevokeIdentity']);
});

test('a stage is told once: those done in an earlier pass are not told again (del-2)', async () => {
  const { run, told } = deletionOf({ ReleaseHost: ready, RevokeIdentity: ready, DeleteNode: ready });

  await run(stoppedAt('RevokeIdentity'));

  assert.deepEqual(told, ['RevokeIdentity', 'DeleteNode']);
});

test('what earlier stages want written is written although a later one waits', async () => {
  const { run } = deletionOf({
    ReleaseHost: async () => done({ status: { released: true } }),
    RevokeIdentity: waiting,
  });

  const outcome = await run(machine);

  assert.deepEqual(outcome.change?.status, { released: true });
});

test('a failing stage says which it was, and keeps its retry class and cause', async () => {
  const { run } = deletionOf({ ReleaseHost: ready, DeleteNode: () => Promise.reject(broken()) });

  await assert.rejects(run(machine), error => {
    assert.ok(error instanceof PippinError);
    assert.equal(error.reason, 'DeleteNode');
    assert.equal(error.retry, 'backoff');
    assert.equal(broken.is(error.cause), true);
    return true;
  });
});

test('all items are tried; the first wait speaks for the others (safe-16)', async () => {
  const tried: number[] = [];

  const outcome = await settleAll([1, 2, 3], async item => {
    tried.push(item);
    return item === 1 ? done() : wait({ port: 'cloud', subject: 'x' }, `number ${item}`, item * 1000);
  });

  assert.deepEqual(tried, [1, 2, 3]);
  assert.equal(outcome.kind === 'wait' && outcome.what, 'number 2 (and 1 more)');
});

test('one failure hides no other item, and is not lost (safe-16)', async () => {
  const tried: number[] = [];

  const all = settleAll([1, 2, 3], async item => {
    tried.push(item);
    if (item === 1) throw broken();
    return done();
  });

  await assert.rejects(all, broken.is);
  assert.deepEqual(tried, [1, 2, 3]);
});
