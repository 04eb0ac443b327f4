import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { sshShell } from '../../src/adapters/ssh/shell.ts';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { HOST_COMMANDS } from '../../src/mac/machine/bootstrap/script.ts';
import { cleanStartStep, sudoStep } from '../../src/mac/machine/bootstrap/steps.ts';
import { secret } from '../../src/mac/secret-text.ts';
import { ScalewayModel } from '../scaleway/model.ts';
import { seededRandom } from '../time/random.ts';
import { MacHosts } from './hosts.ts';
import { HOST_MARK, processesOf } from './processes.ts';
import { newKeyPair } from './ssh-keys.ts';

/** Enough of tart for a clean start: VMs are folders, and one of them does not stop. */
const TART = `#!/bin/sh
home="$HOME/.tart/vms"
case "$1" in
  list) for each in "$home"/*; do [ -d "$each" ] && echo "\${each##*/}"; done; exit 0 ;;
  stop) echo "VM \\"$2\\" is not running" >&2; exit 2 ;;
  delete) rm -rf "$home/$2" ;;
esac
`;

test('a clean start ends the old agent, every VM in the list, and every VM process that is in none', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'clean-start-'));
  const pair = newKeyPair();
  const model = new ScalewayModel({ clock: systemClock, random: seededRandom('clean') });
  model.createSSHKey('fleet', pair.public);
  const server = model.order({ name: 'mac-0' });
  const hosts = new MacHosts({ clock: systemClock, model, folder, commands: HOST_COMMANDS });
  await hosts.open();
  const { root } = hosts.mac(server.id);
  const vms = join(root, 'Users/m1/.tart/vms');
  for (const name of ['old-one', 'old-two']) mkdirSync(join(vms, name), { recursive: true });
  const secrets = join(root, 'var/lib/tart-userdata/old-one');
  mkdirSync(secrets, { recursive: true });
  const tart = join(root, 'usr/local/bin/tart');
  mkdirSync(join(root, 'usr/local/bin'), { recursive: true });
  writeFileSync(tart, TART);
  chmodSync(tart, 0o755);
  const stray = spawn(process.execPath, ['-e', 'setTimeout(() => 0, 60_000)', 'tart', 'run', 'stray'], {
    env: { [HOST_MARK]: root },
    stdio: 'ignore',
    detached: true,
  });
  const shell = sshShell({ clock: systemClock, route: hosts.route });
  const opened = await shell.open({ address: server.ip, user: 'm1', key: secret(pair.private) });
  assert.ok(opened.kind === 'open');

  await opened.session.run(sudoStep({ password: secret(server.sudoPassword) }));
  const { exitCode, stdout, stderr } = await opened.session.run(cleanStartStep({ user: 'm1' }));
  opened.session.close();

  assert.equal(exitCode, 0, stderr);
  assert.equal(stdout.trim(), '2');
  assert.ok(!existsSync(join(vms, 'old-one')));
  assert.ok(!existsSync(secrets));
  assert.deepEqual(
    processesOf(root).filter(({ pid }) => pid === stray.pid),
    [],
  );
  await hosts.close();
  model.close();
  rmSync(folder, { recursive: true, force: true });
});
