// What an API server says of a folder, a file or a disk that it cannot work with: one error with a remedy each, no stack.

import assert from 'node:assert/strict';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { after, before, test } from 'node:test';
import { Command, canMount, type How, type Said } from './command.ts';

const scratch = mkdtempSync(join(tmpdir(), 'pippin-trouble-'));
after(() => rmSync(scratch, { recursive: true }));
/** Root may read and write everything: where the tests run as root, somebody else tries. */
const asNobody: How = process.getuid?.() === 0 ? { uid: 65_534 } : {};
let command: Command;
/** The folder of a server that was killed: its log holds what its file does not. */
const killed = join(scratch, 'killed');
let acknowledged = 0;

before(async () => {
  chmodSync(scratch, 0o755);
  command = await Command.bundled(scratch);
  const server = await command.serve(killed);
  for (let n = 0; n < 10; n += 1) acknowledged = await server.put('map', { n: String(n) });
  await server.stop('SIGKILL');
});

function copied(name: string): string {
  const folder = join(scratch, name);
  cpSync(killed, folder, { recursive: true });
  return folder;
}

function refused({ code, out, err }: Said, expected: RegExp): void {
  assert.equal(code, 1);
  assert.equal(out, '');
  assert.match(err, /^error: [^\n]*\(PIPPIN_E_\w+\)\nremedy: [^\n]+\n$/);
  assert.match(err, expected);
}

const start = (dataDir: string, how: How = {}): Promise<Said> =>
  command.run(['apiserver', '--data-dir', dataDir, '--port', '0'], how);

test('a log that lost its end is named: it is not taken for the end of a crashed write', async () => {
  const folder = copied('short-log');
  const log = join(folder, 'api.db-wal');
  writeFileSync(log, readFileSync(log).subarray(0, -5000));
  const bytes = readFileSync(log);

  refused(
    await start(folder),
    new RegExp(`api\\.db-wal is damaged or old: it ends at revision \\d+, but ${acknowledged} was`),
  );
  assert.deepEqual(readFileSync(log), bytes);
});

test('what is left of a damaged store can be saved, and goes on under revisions that nobody has seen', async () => {
  const folder = copied('rescued');
  const log = join(folder, 'api.db-wal');
  writeFileSync(log, readFileSync(log).subarray(0, -5000));
  const out = join(scratch, 'left.backup');
  const backup = ['apiserver', 'backup', out, '--data-dir', folder];

  refused(await command.run(backup), /PIPPIN_E_STORE_BEHIND/);
  assert.equal((await command.run([...backup, '--what-is-left'])).code, 0);
  assert.equal((await command.run(['apiserver', 'restore', out, '--data-dir', folder, '--replace'])).code, 0);
  const server = await command.serve(folder);
  const revision = await server.put('map', { n: 'new' });
  await server.stop();

  assert.ok(revision > acknowledged + 1_000_000);
});

test('a missing file, an empty file and a foreign file are three errors, and none is replaced', async () => {
  const [missing, empty, foreign] = [copied('missing'), copied('zero'), copied('foreign')];
  rmSync(join(missing, 'api.db'));
  writeFileSync(join(empty, 'api.db'), '');
  writeFileSync(join(foreign, 'api.db'), 'a text '.repeat(1000));
  rmSync(join(foreign, 'api.db-wal'));

  refused(await start(missing), /api\.db cannot be read: it is missing, although .*api\.db-wal is there/);
  refused(await start(empty), /api\.db cannot be read: it is empty/);
  refused(await start(foreign), /api\.db cannot be read: file is not a database/);
  assert.equal(readdirSync(missing).includes('api.db'), false);
  assert.equal(readFileSync(join(empty, 'api.db'), 'utf8'), '');
});

test('a second server on the folder is told that it is held', async () => {
  const folder = copied('held');
  const first = await command.serve(folder);
  const second = await start(folder);
  const found = await first.get('map');
  await first.stop();

  refused(second, /held\/api\.db is held by another process \(PIPPIN_E_STORE_HELD\)/);
  assert.equal(found?.n, '9');
});

test('a folder that may not be read, and one that may not be written, are named', async () => {
  const [closed, readOnly] = [copied('closed'), join(scratch, 'read-only')];
  chmodSync(closed, 0o000);
  mkdirSync(readOnly);
  chmodSync(readOnly, 0o555);

  refused(await start(closed, asNobody), /closed cannot be used: .*\(PIPPIN_E_DATA_FOLDER_UNUSABLE\)/);
  refused(await start(readOnly, asNobody), /read-only cannot be used: .*\(PIPPIN_E_DATA_FOLDER_UNUSABLE\)/);
  chmodSync(closed, 0o700);
});

test('a disk that can only be read is named, by a start and by a restore', { skip: !canMount() }, async () => {
  const [folder, fresh] = [copied('read-only-disk'), join(scratch, 'read-only-fresh')];
  mkdirSync(fresh);
  const out = join(scratch, 'before-read-only.backup');
  await command.run(['apiserver', 'backup', out, '--data-dir', folder]);
  const restore = ['apiserver', 'restore', out, '--data-dir', folder, '--replace'];

  refused(await start(folder, { readOnly: folder }), /read-only-disk\S* cannot be used: .*PIPPIN_E_\w+_UNUSABLE/);
  refused(await start(fresh, { readOnly: fresh }), /read-only-fresh\S* cannot be used: .*PIPPIN_E_\w+_UNUSABLE/);
  refused(
    await command.run(restore, { readOnly: folder }),
    /read-only-disk\S* cannot be used: .*PIPPIN_E_\w+_UNUSABLE/,
  );
});

test('what stands where a folder or a key should be is named', async () => {
  const [file, pki, key] = [join(scratch, 'plain'), copied('pki-file'), copied('key-folder')];
  writeFileSync(file, '');
  rmSync(join(pki, 'pki'), { recursive: true });
  writeFileSync(join(pki, 'pki'), '');
  rmSync(join(key, 'pki', 'ca.key'));
  mkdirSync(join(key, 'pki', 'ca.key'));

  refused(await start(file), /plain cannot be used: ENOTDIR/);
  refused(await start(join(file, 'below')), /below cannot be used: ENOTDIR/);
  refused(await start(pki), /pki cannot be used: EEXIST/);
  refused(await start(key), /pki cannot be used: EISDIR/);
});

test('keys that the one who backs up may not read are named', async () => {
  const folder = copied('others-keys');
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) chmodSync(join(folder, name), 0o755);
  chmodSync(folder, 0o755);
  chmodSync(join(folder, 'pki', 'ca.key'), 0o000);

  refused(
    await command.run(['apiserver', 'backup', join(scratch, 'never.backup'), '--data-dir', folder], asNobody),
    /pki cannot be used: EACCES/,
  );
});

test('a mark that is gone or damaged is named, and so is a log that was cut off behind its back', async () => {
  const [gone, emptied] = [copied('no-mark'), copied('empty-mark')];
  rmSync(join(gone, 'api.db-mark'));
  writeFileSync(join(emptied, 'api.db-mark'), '');
  truncateSync(join(emptied, 'api.db-wal'), 100_000);

  refused(await start(gone), /api\.db-mark is missing: .*\(PIPPIN_E_STORE_MARK_LOST\)/);
  refused(await start(emptied), /api\.db-mark cannot be read: .*\(PIPPIN_E_STORE_MARK_LOST\)/);
  assert.equal(readFileSync(join(emptied, 'api.db-mark')).length, 0);
});

test('a disk that fills up ends the server with one error, and what it acknowledged is there when there is room', async () => {
  const folder = copied('full');
  const server = await command.serve(folder, { fileBlocks: 800 });
  let last = 0;
  await assert.rejects(async () => {
    for (let n = 0; n < 200; n += 1) {
      await server.put('growing', { n: String(n), pad: 'x'.repeat(20_000) });
      last = n;
    }
  });
  const { code, err } = await server.ended;
  const again = await command.serve(folder);
  const found = await again.get('growing');
  await again.stop();

  assert.equal(code, 1);
  assert.match(
    err,
    /^error: A write to the API's file .*full\/api\.db failed: [^\n]*\nremedy: Make room on its disk[^\n]*\n$/,
  );
  assert.ok(last > 0 && Number(found?.n) >= last, `${found?.n} of ${last}`);
});

test('a disk without room for the start is named', async () => {
  refused(
    await start(join(scratch, 'no-room'), { fileBlocks: 2 }),
    /no-room\/api\.db cannot be used|no-room\/api\.db failed/,
  );
});

test('a restore that was cut off is finished by another one, and no server starts on half of it', async () => {
  const folder = copied('cut-off');
  const out = join(scratch, 'whole.backup');
  await command.run(['apiserver', 'backup', out, '--data-dir', folder]);
  cpSync(join(folder, 'api.db'), join(folder, 'api.db-restored'));

  refused(await start(folder), /api\.db-restored is there \(PIPPIN_E_RESTORE_UNFINISHED\)/);
  assert.equal((await command.run(['apiserver', 'restore', out, '--data-dir', folder, '--replace'])).code, 0);
  const server = await command.serve(folder);
  const found = await server.get('map');
  await server.stop();
  assert.equal(found?.n, '9');
});
