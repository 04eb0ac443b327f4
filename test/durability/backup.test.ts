// `pippin apiserver backup` and `restore`, as processes beside a server that is written to.

import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { sqliteStore } from '../../src/adapters/sqlite/store.ts';
import { Command, type Said, type Server } from './command.ts';

const scratch = mkdtempSync(join(tmpdir(), 'pippin-backup-'));
const dataDir = join(scratch, 'data');
const file = join(scratch, 'first.backup');
let command: Command;
let server: Server;
/** What the writer had acknowledged when the backup began and when it was done. */
const counted = { before: 0, after: 0, revision: 0 };

after(async () => {
  await server.stop();
  rmSync(scratch, { recursive: true });
});

before(async () => {
  command = await Command.bundled(scratch);
  server = await command.serve(dataDir);
  await backUpAmongWrites();
});

/** `first` is always written before `second`: in no state of the API is it behind, or more than one ahead. */
async function backUpAmongWrites(): Promise<void> {
  let n = 0;
  const count = async (): Promise<void> => {
    n += 1;
    await server.put('first', { n: String(n), pad: 'x'.repeat(5000) });
    counted.revision = await server.put('second', { n: String(n) });
  };
  while (n < 20) await count();
  counted.before = n;
  const backup = command.run(['apiserver', 'backup', file, '--data-dir', dataDir]);
  let said: Said | undefined;
  void backup.then(result => {
    said = result;
  });
  while (said === undefined) await count();
  counted.after = n;
  assert.match(said.out, /^\d+ objects at revision \d+ and the keys of .*data are in .*first\.backup\n$/, said.err);
}

function refused({ code, out, err }: Said, expected: string): void {
  assert.equal(code, 1);
  assert.equal(out, '');
  assert.match(err, new RegExp(`^error: [^\\n]*\\(${expected}\\)\\nremedy: [^\\n]+\\n$`));
}

test('a backup is one state of the API, for its owner alone, with nothing beside it', () => {
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.deepEqual(
    readdirSync(scratch).filter(name => name.startsWith('first')),
    ['first.backup'],
  );
  assert.ok(counted.after > counted.before, 'writes went on meanwhile');
});

test('a restored folder serves that state to the same credentials, under revisions that nobody has seen', async () => {
  const restored = join(scratch, 'restored');
  const { code, out, err } = await command.run(['apiserver', 'restore', file, '--data-dir', restored]);
  assert.equal(code, 0, err);
  assert.match(out, /revisions go on at \d+; whoever watches lists again\n$/);
  for (const key of ['ca.key', 'ca.crt', 'sa.key', 'sa.pub', 'admin.token']) {
    assert.deepEqual(readFileSync(join(restored, 'pki', key)), readFileSync(join(dataDir, 'pki', key)), key);
    assert.equal(statSync(join(restored, 'pki', key)).mode & 0o777, 0o600, key);
  }

  const second = await command.serve(restored);
  try {
    const [first, then] = [await second.get('first'), await second.get('second')];
    const ahead = Number(first?.n) - Number(then?.n);
    assert.ok(ahead === 0 || ahead === 1, `${first?.n} and ${then?.n}`);
    assert.ok(Number(then?.n) >= counted.before && Number(then?.n) <= counted.after);
    // A client that saw writes after the backup must list again, not wait for revisions that come a second time.
    assert.match(await second.watchFrom(counted.revision), /"code":410/);
    assert.ok((await second.put('third', {})) > counted.revision + 1_000_000_000);
  } finally {
    await second.stop();
  }
});

test('a second restore of the same backup uses none of the first one’s revisions', async () => {
  const revisions = [];
  for (const name of ['once', 'twice']) {
    const { out } = await command.run(['apiserver', 'restore', file, '--data-dir', join(scratch, name)]);
    revisions.push(Number(/go on at (\d+);/.exec(out)?.[1]));
  }
  assert.ok((revisions[1] ?? 0) > (revisions[0] ?? 0) + 1000, revisions.join(' '));
});

test('a backup never replaces a file', async () => {
  const bytes = readFileSync(file);

  refused(await command.run(['apiserver', 'backup', file, '--data-dir', dataDir]), 'PIPPIN_E_BACKUP_EXISTS');
  assert.deepEqual(readFileSync(file), bytes);
});

test('a restore is refused where a server runs, and where something is, unless it is told', async () => {
  const other = join(scratch, 'other');
  await (await command.serve(other)).stop();
  const args = ['apiserver', 'restore', file, '--data-dir'];

  refused(await command.run([...args, dataDir]), 'PIPPIN_E_STORE_HELD');
  refused(await command.run([...args, dataDir, '--replace']), 'PIPPIN_E_STORE_HELD');
  refused(await command.run([...args, other]), 'PIPPIN_E_RESTORE_TARGET_NOT_EMPTY');
  assert.equal((await command.run([...args, other, '--replace'])).code, 0);
  const again = await command.serve(other);
  const found = await again.get('second');
  await again.stop();
  assert.ok(Number(found?.n) >= counted.before);
});

test('a damaged backup is refused, and what it was to replace is left as it is', async () => {
  const other = join(scratch, 'kept');
  await (await command.serve(other)).stop();
  const before = readFileSync(join(other, 'api.db'));
  const damaged = join(scratch, 'damaged.backup');
  const bytes = readFileSync(file);
  const at = bytes.indexOf('xxxxxxxx');
  bytes.write('y', at);
  writeFileSync(damaged, bytes);

  const said = await command.run(['apiserver', 'restore', damaged, '--data-dir', other, '--replace']);

  refused(said, 'PIPPIN_E_BACKUP_UNREADABLE');
  assert.match(said.err, /damaged\.backup cannot be read: the change of revision \d+ is not as written/);
  assert.deepEqual(readFileSync(join(other, 'api.db')), before);
});

test('what is no backup, no folder of an API or no place for a file is named', async () => {
  const words = join(scratch, 'words');
  writeFileSync(words, 'only words');
  const empty = join(scratch, 'empty');
  const backup = (out: string, dir: string): Promise<Said> =>
    command.run(['apiserver', 'backup', out, '--data-dir', dir]);

  refused(await command.run(['apiserver', 'restore', words, '--data-dir', empty]), 'PIPPIN_E_BACKUP_UNREADABLE');
  refused(
    await command.run(['apiserver', 'restore', join(scratch, 'none'), '--data-dir', empty]),
    'PIPPIN_E_BACKUP_UNREADABLE',
  );
  refused(await backup(join(scratch, 'x'), join(scratch, 'nowhere')), 'PIPPIN_E_NOTHING_TO_BACK_UP');
  refused(await backup(join(scratch, 'no/such/place'), dataDir), 'PIPPIN_E_BACKUP_UNWRITABLE');
});

test('a disk that fills up leaves no backup, not even half of one', async () => {
  const out = join(scratch, 'full.backup');
  const said = await command.run(['apiserver', 'backup', out, '--data-dir', dataDir], { fileBlocks: 16 });

  refused(said, 'PIPPIN_E_BACKUP_UNWRITABLE');
  assert.deepEqual(
    readdirSync(scratch).filter(name => name.startsWith('full')),
    [],
  );
});

test('a backup that is killed has no name yet, and a later one does not mind what it left', {
  timeout: 240_000,
}, async () => {
  const large = join(scratch, 'large');
  await (await command.serve(large)).stop();
  const store = sqliteStore(join(large, 'api.db'));
  const data = 'x'.repeat(20_000);
  const put = (n: number): Promise<unknown> =>
    store.write({ storage: 'things', namespace: '', name: `n${n}`, expected: 0, object: { metadata: {}, data } });
  await Promise.all(Array.from({ length: 3000 }, (_, n) => put(n)));
  await store.close();
  const out = join(scratch, 'killed.backup');
  const partial = (): boolean => readdirSync(scratch).some(name => /^killed.*partial$/.test(name));

  const child = command.spawn(['apiserver', 'backup', out, '--data-dir', large]);
  const closed = new Promise(resolve => child.once('close', resolve));
  while (!partial() && child.exitCode === null) await new Promise(resolve => setImmediate(resolve));
  child.kill('SIGKILL');
  await closed;

  assert.equal(existsSync(out), false);
  assert.equal((await command.run(['apiserver', 'backup', out, '--data-dir', large])).code, 0);
});
