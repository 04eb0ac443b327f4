// What every MacCloud must do, whatever is behind it: run on the SDK over HTTP and on the model in process.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { cloudRefused, cloudUnavailable, type MacCloud, serverBusy, serverNotThere } from './cloud.ts';

/** A cloud under test, and the hands that change what is behind it. */
export interface CloudUnderTest {
  readonly cloud: MacCloud;
  /** Adds a server; answers its id. */
  order(name: string): string;
  discard(id: string): void;
  nameOf(id: string): string;
  wipesOf(id: string): number;
  passwordOf(id: string): string;
  /** The next call of any kind ends like this. */
  nextFault(fault: 401 | 403 | 404 | 429 | 500 | 'timeout' | 'reset' | 'answer lost'): void;
  moveKeyToOtherProject(): void;
  close(): Promise<void>;
}

const ZONE = 'fr-par-1';

export function macCloudContract(what: string, make: () => Promise<CloudUnderTest>): void {
  describe(`MacCloud: ${what}`, () => {
    let it: CloudUnderTest;
    before(async () => {
      it = await make();
    });
    after(() => it.close());

    const ref = (id: string) => ({ zone: ZONE, id });

    test('a server is seen by its id, with what adoption needs', async () => {
      const id = it.order('pool-1');

      const seen = await it.cloud.server(ref(id));

      assert.equal(seen.kind, 'present');
      if (seen.kind !== 'present') return;
      const { name, type, status, delivered, sshUser, os } = seen.value;
      assert.deepEqual(
        { name, type, status, delivered, sshUser },
        {
          name: 'pool-1',
          type: 'M2-L',
          status: 'ready',
          delivered: true,
          sshUser: 'm1',
        },
      );
      assert.equal(os?.family, 'Tahoe');
      assert.match(seen.value.ip, /^\d+\.\d+\.\d+\.\d+$/);
    });

    test('the sudo password comes out of the VNC URL, decoded, and prints nowhere', async () => {
      const id = it.order('pool-password');

      const seen = await it.cloud.server(ref(id));

      assert.ok(seen.kind === 'present');
      assert.equal(seen.value.sudoPassword.reveal(), it.passwordOf(id));
      assert.ok(!JSON.stringify(seen).includes(it.passwordOf(id)));
    });

    test('a server that is not there is absent, and one that cannot be read is unknown', async () => {
      const gone = it.order('pool-gone');
      it.discard(gone);
      assert.equal((await it.cloud.server(ref(gone))).kind, 'absent');

      const there = it.order('pool-there');
      for (const fault of [401, 403, 429, 500, 'timeout', 'reset'] as const) {
        it.nextFault(fault);
        assert.equal((await it.cloud.server(ref(there))).kind, 'unknown', String(fault));
      }
    });

    test('a zone is listed completely, over several pages', async () => {
      const ids = Array.from({ length: 205 }, (_, n) => it.order(`many-${n}`));

      const seen = await it.cloud.servers(ZONE);

      assert.ok(seen.kind === 'present');
      const listed = new Set(seen.value.map(server => server.id));
      assert.ok(ids.every(id => listed.has(id)));
      for (const id of ids) it.discard(id);
    });

    test('a list that fails is unknown, never empty', async () => {
      for (const fault of [403, 500, 'reset'] as const) {
        it.nextFault(fault);
        assert.equal((await it.cloud.servers(ZONE)).kind, 'unknown', String(fault));
      }
    });

    test('a rename is seen by the next read', async () => {
      const id = it.order('pool-2');

      await it.cloud.rename(ref(id), 'mac-2');

      const seen = await it.cloud.server(ref(id));
      assert.ok(seen.kind === 'present');
      assert.equal(seen.value.name, 'mac-2');
    });

    test('a reinstallation wipes once and shows as such; a second one at the same time is refused as busy', async () => {
      const id = it.order('pool-3');

      await it.cloud.reinstall(ref(id));

      const seen = await it.cloud.server(ref(id));
      assert.ok(seen.kind === 'present');
      assert.equal(seen.value.status, 'reinstalling');
      await assert.rejects(it.cloud.reinstall(ref(id)), serverBusy.is);
      await assert.rejects(it.cloud.reboot(ref(id)), serverBusy.is);
      assert.equal(it.wipesOf(id), 1);
    });

    test('a write whose answer is lost was carried out, and says that it does not know', async () => {
      const id = it.order('pool-4');
      it.nextFault('answer lost');

      await assert.rejects(it.cloud.rename(ref(id), 'mac-4'), cloudUnavailable.is);

      assert.equal(it.nameOf(id), 'mac-4');
    });

    test('each refusal of a write is told apart', async () => {
      const id = it.order('pool-5');
      const kinds = [
        [401, cloudRefused],
        [403, cloudRefused],
        [404, serverNotThere],
        [429, cloudUnavailable],
        [500, cloudUnavailable],
      ] as const;

      for (const [fault, kind] of kinds) {
        it.nextFault(fault);
        await assert.rejects(it.cloud.rename(ref(id), 'mac-5'), kind.is, String(fault));
      }

      assert.equal(it.nameOf(id), 'pool-5');
    });

    test('images tell family, version and the servers that boot them', async () => {
      const seen = await it.cloud.images(ZONE);

      assert.ok(seen.kind === 'present');
      const tahoe = seen.value.filter(image => image.family === 'Tahoe');
      assert.deepEqual(tahoe.map(image => image.version).sort(), ['26.0', '26.1']);
      assert.ok(tahoe.every(image => image.serverTypes.includes('M2-L')));
    });

    test('SSH keys are registered, listed and removed in the project', async () => {
      await it.cloud.addSshKey('fleet', 'ssh-ed25519 AAAA fleet');

      const added = await it.cloud.sshKeys();
      assert.ok(added.kind === 'present');
      const key = added.value.find(each => each.name === 'fleet');
      assert.equal(key?.publicKey, 'ssh-ed25519 AAAA fleet');
      await it.cloud.removeSshKey(key?.id ?? '');

      const left = await it.cloud.sshKeys();
      assert.ok(left.kind === 'present');
      assert.deepEqual(left.value, []);
    });

    test('a key that was moved to another project answers absent for everything and lists nothing', async () => {
      const id = it.order('pool-6');

      it.moveKeyToOtherProject();

      assert.equal((await it.cloud.server(ref(id))).kind, 'absent');
      const listed = await it.cloud.servers(ZONE);
      assert.ok(listed.kind === 'present');
      assert.deepEqual(listed.value, []);
    });
  });
}
