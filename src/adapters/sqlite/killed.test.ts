import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { sqliteStore } from './store.ts';

const folder = mkdtempSync(join(tmpdir(), 'pippin-killed-'));
after(() => rmSync(folder, { recursive: true }));

const RUNS = 3;
const ENOUGH = 200;

/** Writes for ever, eight at a time, and says each write once it is acknowledged. */
const WRITER = `
  const { sqliteStore } = await import(process.argv[1]);
  const store = sqliteStore(process.argv[2]);
  let n = 0;
  const write = async () => {
    for (;;) {
      const name = process.argv[3] + '-' + n++;
      const object = { apiVersion: 'v1', kind: 'Thing', metadata: { name }, data: 'x'.repeat(1000) };
      const answer = await store.write({ storage: 'things', namespace: '', name, expected: 0, object });
      process.stdout.write(name + ' ' + answer.row.revision + '\\n');
    }
  };
  await Promise.all(Array.from({ length: 8 }, write));
`;

/** What a writer had acknowledged when it was killed in the middle of its work. */
function killedWriter(file: string, run: number): Promise<readonly string[]> {
  const store = new URL('./store.ts', import.meta.url).href;
  const args = ['--no-warnings', '--input-type=module', '-e', WRITER, store, file, `run${run}`];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
    if (said.split('\n').length > ENOUGH) child.kill('SIGKILL');
  });
  return new Promise(resolve => {
    // What was cut off in the middle of a line is not counted.
    child.on('close', () => resolve(said.split('\n').slice(0, -1)));
  });
}

test('kill -9 in mid-write loses no acknowledged write and reuses no revision', { timeout: 240_000 }, async () => {
  const file = join(folder, 'api.db');
  const revisions = new Set<string>();
  for (let run = 0; run < RUNS; run += 1) {
    const acknowledged = await killedWriter(file, run);
    const store = sqliteStore(file);
    for (const line of acknowledged) {
      const [name = '', revision = ''] = line.split(' ');
      const row = store.get({ storage: 'things', namespace: '', name });
      assert.equal(String(row?.revision), revision, line);
      assert.equal(revisions.has(revision), false, `revision ${revision} twice`);
      revisions.add(revision);
    }
    await store.close();
  }
  assert.ok(revisions.size >= RUNS * ENOUGH - RUNS);
});
