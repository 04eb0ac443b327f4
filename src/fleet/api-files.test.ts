import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { realKeys } from '../adapters/keys/index.ts';
import { systemClock } from '../adapters/system/clock.ts';
import { systemRandom } from '../adapters/system/random.ts';
import { type ApiSecrets, apiSecrets } from './api-files.ts';

let dataDir: string;
const read = (holds: 'nothing' | 'objects'): Promise<ApiSecrets> =>
  apiSecrets({ dataDir, clock: systemClock, random: systemRandom, keys: realKeys, holds });

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'pippin-secrets-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

test('keys and token are the same after a restart', async () => {
  const first = await read('nothing');
  const again = await read('objects');

  assert.deepEqual(again.authority, first.authority);
  assert.deepEqual(again.tokenKey, first.tokenKey);
  assert.equal(again.adminToken, first.adminToken);
});

test('of an API that holds objects a key file that is gone is named, and nothing is made in its place', async () => {
  await read('nothing');
  for (const name of ['ca.key', 'ca.crt', 'sa.key', 'sa.pub', 'admin.token']) {
    const file = join(dataDir, 'pki', name);
    rmSync(file);
    await assert.rejects(read('objects'), (error: Error) => error.message.includes(`${file} is gone`));
    await assert.rejects(read('objects'), /is gone/);
    rmSync(join(dataDir, 'pki'), { recursive: true });
    await read('nothing');
  }
});

test('a key file that was damaged, emptied or exchanged is named', async () => {
  await read('nothing');
  const other = await realKeys.pair();
  const damages: readonly (readonly [string, string, RegExp])[] = [
    ['ca.key', 'garbage', /ca\.key cannot be read: it is damaged/],
    ['ca.crt', '', /ca\.crt cannot be read: it is damaged/],
    ['sa.key', other.privateKeyPem, /sa\.key does not belong to/],
    ['sa.pub', 'garbage', /sa\.pub cannot be read: it is damaged/],
    ['admin.token', '\n', /admin\.token is empty/],
    ['admin.token', 'x\n', /admin\.token holds no token as it was written/],
    ['admin.token', `${'x'.repeat(42)}\n`, /admin\.token holds no token as it was written/],
    ['admin.token', `${'x'.repeat(42)}\0\n`, /admin\.token holds no token as it was written/],
  ];
  for (const [name, text, says] of damages) {
    writeFileSync(join(dataDir, 'pki', name), text);
    await assert.rejects(read('objects'), says);
    rmSync(join(dataDir, 'pki'), { recursive: true });
    await read('nothing');
  }
});
