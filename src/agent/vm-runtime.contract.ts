// What every VM runtime must do, told as tests: run on tart's adapter over the double and on the model in this process.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { vmNotFound, vmSlotsUsedUp } from './vm-errors.ts';
import type { RunOptions, VmRuntime } from './vm-runtime.ts';

/** A runtime on an empty host, and the few things that only its maker can do. */
export interface RuntimeUnderTest {
  readonly runtime: VmRuntime;
  /** Lets time pass: really, or on the virtual clock. */
  pass(seconds: number): Promise<void>;
  /** The shares of a run, with the status folder that `statusFile` reads. */
  readonly run: RunOptions;
  statusFile(name: string): Promise<string | undefined>;
  end(): Promise<void>;
}

/** The images that the runtime's registry must hold; `live` boots in a second, `short` ends by itself with code 7 and no crash, `crash` crashes. */
export const CONTRACT_IMAGES = {
  live: 'registry.test/contract:live',
  short: 'registry.test/contract:short',
  crash: 'registry.test/contract:crash',
  none: 'registry.test/contract:none',
} as const;

export function vmRuntimeContract(name: string, make: () => Promise<RuntimeUnderTest>): void {
  describe(name, { concurrency: 4 }, () => rules(make));
}

const pulled = async ({ runtime }: RuntimeUnderTest, image: string): Promise<void> =>
  runtime.pull(image, () => undefined);

/** Lets time pass until the VM's process is gone. */
async function ended({ runtime, pass }: RuntimeUnderTest, vm: string): Promise<void> {
  for (let tries = 0; (await runtime.process(vm)).kind !== 'absent'; tries++) {
    assert.ok(tries < 200, `${vm} ends by itself`);
    await pass(0.1);
  }
}

/** Lets time pass until the VM has an address. */
async function addressed({ runtime, pass }: RuntimeUnderTest, vm: string): Promise<string> {
  for (let tries = 0; tries < 200; tries++) {
    const address = await runtime.address(vm);
    if (address !== undefined) return address;
    await pass(0.1);
  }
  return assert.fail(`${vm} gets no address`);
}

function rules(make: () => Promise<RuntimeUnderTest>): void {
  const check = (what: string, body: (on: RuntimeUnderTest) => Promise<void>): void => {
    test(what, async () => {
      const on = await make();
      try {
        await body(on);
      } finally {
        await on.end();
      }
    });
  };
  check(
    'an image that was pulled by tag is listed by tag and by digest, and the tag resolves to that digest',
    async on => {
      const percents: number[] = [];
      await on.runtime.pull(CONTRACT_IMAGES.live, percent => percents.push(percent));

      const { images, vms } = await on.runtime.inventory();
      const id = await on.runtime.contentId(CONTRACT_IMAGES.live);
      assert.deepEqual(vms, []);
      assert.equal(id.kind, 'present');
      assert.deepEqual(
        images.map(image => image.name).sort(),
        [CONTRACT_IMAGES.live, id.kind === 'present' ? id.value : ''].sort(),
      );
      assert.equal(percents.at(-1), 100);
    },
  );

  check('what is not there is absent, and deleting it is no error', async ({ runtime }) => {
    assert.equal((await runtime.onDisk('web')).kind, 'absent');
    assert.equal((await runtime.contentId(CONTRACT_IMAGES.live)).kind, 'absent');
    assert.equal((await runtime.process('web')).kind, 'absent');
    await runtime.stop('web', 1);
    await runtime.delete('web');
    await runtime.delete(CONTRACT_IMAGES.live);
  });

  check('an image that the registry does not have, and a VM that is not there, are refused', async ({ runtime }) => {
    await assert.rejects(
      runtime.pull(CONTRACT_IMAGES.none, () => undefined),
      /404/,
    );
    await assert.rejects(runtime.clone('base', 'web'), vmNotFound.is);
    await assert.rejects(runtime.resize('web', { cpu: 2 }), vmNotFound.is);
  });

  check('a VM runs as long as its process lives, gets an address, and ends when it is stopped', async on => {
    const { runtime } = on;
    await pulled(on, CONTRACT_IMAGES.live);
    await runtime.clone(CONTRACT_IMAGES.live, 'web');
    await runtime.resize('web', { cpu: 2, memoryMb: 4096 });
    await runtime.renewIdentity('web');

    await runtime.run('web', on.run);
    assert.match(await addressed(on, 'web'), /^192\.168\./);
    assert.equal((await runtime.process('web')).kind, 'present');

    await runtime.stop('web', 5);
    assert.equal((await runtime.process('web')).kind, 'absent');
    assert.equal((await runtime.lastExit('web'))?.ended, 'from-outside');
    await runtime.delete('web');
    assert.equal((await runtime.onDisk('web')).kind, 'absent');
  });

  check('a guest that is asked to shut down ends by itself', async on => {
    const { runtime } = on;
    await pulled(on, CONTRACT_IMAGES.live);
    await runtime.clone(CONTRACT_IMAGES.live, 'web');
    await runtime.run('web', on.run);

    await runtime.shutDown('web');
    await ended(on, 'web');

    assert.equal((await runtime.lastExit('web'))?.ended, 'by-guest');
  });

  check("a guest's own exit code comes through its share, whatever tart says", async on => {
    const { runtime } = on;
    await pulled(on, CONTRACT_IMAGES.short);
    await runtime.clone(CONTRACT_IMAGES.short, 'job');
    await runtime.run('job', on.run);
    await ended(on, 'job');

    const exit = await runtime.lastExit('job');
    assert.deepEqual({ code: exit?.exitCode, ended: exit?.ended }, { code: 0, ended: 'by-guest' });
    assert.equal((await on.statusFile('runner-rc'))?.trim(), '7');
  });

  check('a crash is told from a clean end although both exit with 0', async on => {
    const { runtime } = on;
    await pulled(on, CONTRACT_IMAGES.crash);
    await runtime.clone(CONTRACT_IMAGES.crash, 'job');
    await runtime.run('job', on.run);
    await ended(on, 'job');

    assert.equal((await runtime.lastExit('job'))?.ended, 'by-crash');
  });

  check('a third macOS VM is refused with the reason', async on => {
    const { runtime } = on;
    await pulled(on, CONTRACT_IMAGES.live);
    for (const vm of ['a', 'b', 'c']) await runtime.clone(CONTRACT_IMAGES.live, vm);
    await runtime.run('a', on.run);
    await runtime.run('b', on.run);

    await assert.rejects(runtime.run('c', on.run), vmSlotsUsedUp.is);
  });

  check('deleting content leaves clones of it alone', async on => {
    const { runtime } = on;
    await pulled(on, CONTRACT_IMAGES.live);
    await runtime.clone(CONTRACT_IMAGES.live, 'web');
    await runtime.delete(CONTRACT_IMAGES.live);

    const { images, vms } = await runtime.inventory();
    assert.deepEqual(images, []);
    assert.deepEqual(
      vms.map(vm => vm.name),
      ['web'],
    );
  });
}
