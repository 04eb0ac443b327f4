// The agent's files: private, whole, and never fooled by a guest.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { AgentHost } from '../../agent/host.ts';
import type { AgentRecords } from '../../agent/records.ts';
import { agentHost } from './agent-host.ts';
import { fileRecords } from './records.ts';

const made: string[] = [];
after(() => Promise.all(made.map(dir => rm(dir, { recursive: true, force: true }))));

async function aDisk(): Promise<{ dir: string; host: AgentHost; records: AgentRecords }> {
  const dir = await mkdtemp(join(tmpdir(), 'pippin-disk-'));
  made.push(dir);
  const host = agentHost({ userDataDir: join(dir, 'guests'), vmDir: join(dir, 'tart'), stateDir: join(dir, 'state') });
  return { dir, host, records: fileRecords(join(dir, 'state')) };
}

const SECRET = { name: 'tuist.env', content: 'A=secret\n' };
const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

test('what is staged for a guest is readable for the agent alone, and goes as a whole (safe-20)', async () => {
  const { dir, host } = await aDisk();

  const { env, status } = await host.stage('vm', [SECRET]);

  assert.deepEqual(
    [await modeOf(env), await modeOf(status), await modeOf(join(env, 'tuist.env'))],
    [0o700, 0o700, 0o600],
  );
  assert.equal(await readFile(join(env, 'tuist.env'), 'utf8'), SECRET.content);
  assert.deepEqual(await host.staged(), ['vm']);
  await host.unstage('vm');
  assert.deepEqual(await host.staged(), []);
  assert.deepEqual(await readdir(join(dir, 'guests')), []);
});

test("a new start does not read the last one's report", async () => {
  const { host } = await aDisk();
  const { status } = await host.stage('vm', []);
  await writeFile(join(status, 'runner-rc'), '0\n');
  assert.equal((await host.guestFile('vm', 'runner-rc'))?.text, '0\n');

  await host.stage('vm', []);

  assert.equal(await host.guestFile('vm', 'runner-rc'), undefined);
});

test('of a guest only small regular files are read: no link, no pipe, no folder, nothing large (agent-39)', async () => {
  const { dir, host } = await aDisk();
  const { status } = await host.stage('vm', []);
  await writeFile(join(dir, 'secret'), '0');
  await symlink(join(dir, 'secret'), join(status, 'link'));
  execFileSync('/bin/sh', ['-c', 'mkfifo "$1"', 'sh', join(status, 'pipe')]);
  await writeFile(join(status, 'large'), 'x'.repeat(5000));
  await writeFile(join(status, 'good'), '7');

  const read = async (name: string) => (await host.guestFile('vm', name))?.text;

  assert.deepEqual(await Promise.all(['link', 'pipe', 'large', '.', 'none', 'good'].map(read)), [
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    '7',
  ]);
});

test('notes outlive the agent, are private, and one that cannot be read fails them all', async () => {
  const { dir, records } = await aDisk();
  const image = { contentId: `ghcr.io/a/b@sha256:${'0'.repeat(64)}`, names: ['ghcr.io/a/b:c'] };
  await records.putVm({ vm: 'web', use: 'pod', image: 'i', state: 'making' });
  await records.putImage(image);

  const again = fileRecords(join(dir, 'state'));
  assert.equal((await again.vm('web'))?.state, 'making');
  assert.deepEqual(await again.images(), [image]);
  assert.equal(await modeOf(join(dir, 'state/vms/web.json')), 0o600);
  await again.dropImage(image.contentId);
  assert.deepEqual(await again.images(), []);

  await writeFile(join(dir, 'state/vms/other.json'), '{"vm": ');
  await assert.rejects(again.vms(), /other\.json cannot be read/);
});

test('the disk is measured, and a host without hardware id keeps the one it made up', async () => {
  const { host } = await aDisk();

  const disk = await host.disk();
  const [first, second] = [await host.facts(), await host.facts()];

  assert.ok(disk.kind === 'present' && disk.value.totalBytes > disk.value.freeBytes && disk.value.freeBytes > 0);
  assert.equal(first.hardwareUuid, second.hardwareUuid);
  assert.match(first.hardwareUuid, /^[0-9a-f-]{36}$/i);
});
