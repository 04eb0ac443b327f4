// tart's adapter over the double of the command holds the runtime's contract; and what only a real process shows.

import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, describe } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { contractRegistry } from '../../../sim/tart/contract-registry.testing.ts';
import { writeTart } from '../../../sim/tart/wrapper.ts';
import { noSpace, runtimeMissing, runtimeVersionUnknown, vmEndedAtOnce } from '../../agent/vm-errors.ts';
import { CONTRACT_IMAGES, type RuntimeUnderTest, vmRuntimeContract } from '../../agent/vm-runtime.contract.ts';
import type { VmRuntime } from '../../agent/vm-runtime.ts';
import { call } from './call.ts';
import { parseList, parseSize } from './listing.ts';
import { tart } from './tart.ts';

const command = fileURLToPath(new URL('../../../sim/tart/command.ts', import.meta.url));

const compileCache = await mkdtemp(join(tmpdir(), 'pippin-tart-cache-'));
after(() => rm(compileCache, { recursive: true, force: true }));

interface Mac extends RuntimeUnderTest {
  readonly dir: string;
  /** The same host, as a restarted agent sees it. */
  restarted(): VmRuntime;
}

async function aMac({ windowSeconds = 0.7 } = {}): Promise<Mac> {
  const dir = await mkdtemp(join(tmpdir(), 'pippin-tart-'));
  const binary = join(dir, 'bin', 'tart');
  const status = join(dir, 'status');
  const registry = join(dir, 'registry.json');
  writeTart(binary, { node: process.execPath, command, compileCache });
  await writeFile(registry, JSON.stringify(contractRegistry));
  await mkdir(status);
  const restarted = (): VmRuntime =>
    tart({
      binary,
      home: join(dir, 'home'),
      env: { PATH: process.env.PATH, TART_SIM_REGISTRY: registry },
      folders: { logs: join(dir, 'logs'), exits: join(dir, 'exits') },
      windowSeconds,
    });
  const runtime = restarted();
  return {
    dir,
    runtime,
    restarted,
    pass: seconds => sleep(seconds * 1000),
    run: { shares: [{ name: 'status', path: status, access: 'read-write' }] },
    statusFile: name => readFile(join(status, name), 'utf8').catch(() => undefined),
    end: async () => {
      for (const { name } of (await runtime.inventory()).vms) await runtime.stop(name, 1);
      await rm(dir, { recursive: true, force: true });
    },
  };
}

vmRuntimeContract('tart adapter over the double', () => aMac());

describe('processes of VMs', { concurrency: 4 }, () => {
  test('a VM lives on when its agent ends, and the next agent finds it, its address and how it ended', async () => {
    const mac = await aMac();
    await mac.runtime.pull(CONTRACT_IMAGES.live, () => undefined);
    await mac.runtime.clone(CONTRACT_IMAGES.live, 'web');
    const { pid } = await mac.runtime.run('web', mac.run);

    const next = mac.restarted();
    const found = await next.process('web');
    process.kill(pid, 'SIGKILL');
    while ((await next.process('web')).kind === 'present') await sleep(50);
    const exit = await next.lastExit('web');

    assert.equal(found.kind === 'present' && found.value.pid, pid);
    assert.equal(exit?.exitCode, 137);
    await mac.end();
  });

  test('a VM is not taken for running because another one, whose name begins alike, runs', async () => {
    const mac = await aMac();
    await mac.runtime.pull(CONTRACT_IMAGES.live, () => undefined);
    await mac.runtime.clone(CONTRACT_IMAGES.live, 'alike-2');
    await mac.runtime.run('alike-2', mac.run);

    assert.equal((await mac.runtime.process('alike')).kind, 'absent');
    await mac.end();
  });

  test('a run that fails at once is an error with the last words of the log', async () => {
    // As long as a busy machine may need to begin: the failure ends the wait.
    const { runtime, end, dir } = await aMac({ windowSeconds: 60 });
    await runtime.pull(CONTRACT_IMAGES.live, () => undefined);
    await runtime.clone(CONTRACT_IMAGES.live, 'web');

    const missing = { shares: [{ name: 'env', path: join(dir, 'nowhere'), access: 'read-only' as const }] };
    await assert.rejects(
      runtime.run('web', missing),
      error => vmEndedAtOnce.is(error) && /nowhere/.test(error.message),
    );
    assert.equal(await runtime.lastExit('web'), undefined);
    await end();
  });
});

/** A program that stands where tart is expected. */
async function script(text: string): Promise<{ binary: string; runtime: VmRuntime; end: () => Promise<void> }> {
  const dir = await mkdtemp(join(tmpdir(), 'pippin-tart-'));
  const binary = join(dir, 'tart');
  await writeFile(binary, `#!/bin/sh\n${text}\n`);
  await chmod(binary, 0o755);
  const folders = { logs: join(dir, 'logs'), exits: join(dir, 'exits') };
  const runtime = tart({ binary, home: dir, env: { PATH: process.env.PATH }, folders });
  return { binary, runtime, end: () => rm(dir, { recursive: true, force: true }) };
}

test('a tart that is missing, and one of an unknown version, are told apart in one clear error each', async () => {
  const other = await script('echo "tart 9.0 (next)"');
  const folders = { logs: '/nowhere', exits: '/nowhere' };
  const nothing = tart({ binary: '/nowhere/tart', home: '/nowhere', env: {}, folders });

  await assert.rejects(nothing.version(), runtimeMissing.is);
  await assert.rejects(other.runtime.version(), runtimeVersionUnknown.is);
  await other.end();
});

test('a full disk is recognised by its curly apostrophe', async () => {
  const full = await script('echo "There isn’t enough space." >&2; exit 1');
  await assert.rejects(
    full.runtime.pull('ghcr.io/a/b:c', () => undefined),
    noSpace.is,
  );
  await full.end();
});

test('a failure that does not say "not found" is unknown, never absence', async () => {
  const broken = await script('echo "The operation could not be completed" >&2; exit 1');
  const garbled = await script('echo "Warning: no JSON today"');

  assert.equal((await broken.runtime.onDisk('web')).kind, 'unknown');
  assert.equal((await broken.runtime.contentId('ghcr.io/a/b:c')).kind, 'unknown');
  await assert.rejects(garbled.runtime.inventory());
  await Promise.all([broken.end(), garbled.end()]);
});

test('a call that hangs is killed at its limit, and pipes that its children hold are closed', async () => {
  const hanging = await script('sleep 5 & exec sleep 6');
  const startedMs = Date.now();

  await assert.rejects(
    call({ binary: hanging.binary, env: { PATH: process.env.PATH } }, ['list'], { limitSeconds: 0.3 }),
    /killed/,
  );
  assert.ok(Date.now() - startedMs < 3500, 'does not wait for the child of the killed shell');
  await hanging.end();
});

test('sizes are read whether they are a number, text or nonsense, and unknown fields do not matter', () => {
  const list = parseList(
    '[{"Name":"a","Source":"local","Size":3,"New":{}},{"Name":"h\\/n:t","Source":"OCI","Size":"x"}]',
  );

  assert.deepEqual(list, { vms: [{ name: 'a', sizeBytes: 3e9 }], images: [{ name: 'h/n:t', sizeBytes: 0 }] });
  assert.equal(parseSize('{"Size" : "25.500"}'), 25.5e9);
  assert.equal(parseList('{}'), undefined);
  assert.equal(parseList('[{"Source":"local"}]'), undefined);
});
