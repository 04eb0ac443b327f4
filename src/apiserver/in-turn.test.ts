import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Log, silentLog } from '../base/log.ts';
import { InTurn } from './in-turn.ts';

/** What waits for nothing but promises is done by then. */
async function drained(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await undefined;
}

function listening(): { readonly log: Log; readonly told: string[] } {
  const told: string[] = [];
  const error = (message: string, fields = {}): void => {
    told.push(`${message}: ${JSON.stringify(fields)}`);
  };
  return { log: { ...silentLog, error }, told };
}

const broken = async (): Promise<void> => {
  throw new Error('no space left');
};

test('what the server cannot write is told, and what comes next is done all the same', async () => {
  const { log, told } = listening();
  const turns = new InTurn(log);
  const done: string[] = [];

  turns.next('A status was not written', broken);
  turns.next('Never told', async () => void done.push('next'));
  await drained();

  assert.deepEqual(told, ['A status was not written: {"error":"no space left"}']);
  assert.deepEqual(done, ['next']);
});

test('after the end nothing is begun, and what was under way fails in silence', async () => {
  const { log, told } = listening();
  const turns = new InTurn(log);
  const done: string[] = [];

  turns.next('A status was not written', async () => {
    turns.end();
    await broken();
  });
  turns.next('Never begun', async () => void done.push('next'));
  await drained();

  assert.deepEqual([told, done], [[], []]);
});
