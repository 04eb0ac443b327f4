import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inProcess } from '../../sim/scaleway/in-process.ts';
import { ScalewayModel } from '../../sim/scaleway/model.ts';
import { virtualClock } from '../../sim/time/clock.ts';
import { seededRandom } from '../../sim/time/random.ts';
import { LeaderGate } from '../kube/leader-gate.ts';
import type { HostShell } from '../mac/host-shell.ts';
import { secret } from '../mac/secret-text.ts';
import { leaderOnlyCloud, leaderOnlyShell } from './leader-only.ts';

const NOT_LEADING = { code: 'PIPPIN_E_NOT_LEADING' };

function aGate() {
  const clock = virtualClock();
  const gate = new LeaderGate(clock, 10_000);
  return { clock, gate, lead: () => gate.open({ monotonicMs: clock.monotonic(), wallMs: clock.now() }) };
}

test('a replica that does not lead reads the cloud and writes nothing to it', async () => {
  const { clock, gate, lead } = aGate();
  const model = new ScalewayModel({ clock, random: seededRandom(1) });
  const server = model.order({ name: 'pool-0' });
  const cloud = leaderOnlyCloud(inProcess(model), gate);

  const writes = [
    () => cloud.rename(server, 'mac-0'),
    () => cloud.reinstall(server),
    () => cloud.reboot(server),
    () => cloud.addSshKey('fleet', 'ssh-ed25519 AAAA'),
    () => cloud.removeSshKey('1'),
  ];
  for (const write of writes) await assert.rejects(write, NOT_LEADING);
  const seen = await cloud.server(server);

  assert.equal(seen.kind === 'present' && seen.value.name, 'pool-0');
  lead();
  await cloud.rename(server, 'mac-0');
  assert.equal(model.byId(server.id).name, 'mac-0');
});

test('a set-up stops between two steps when the lead is lost', async () => {
  const { clock, gate, lead } = aGate();
  const ran: string[] = [];
  const shell: HostShell = {
    open: async () => ({
      kind: 'open',
      fingerprint: 'SHA256:x',
      session: {
        close: () => undefined,
        run: async ({ name }) => {
          ran.push(name);
          return { exitCode: 0, stdout: '', stderr: '' };
        },
      },
    }),
  };
  const opened = await leaderOnlyShell(shell, gate).open({ address: '198.51.100.1', user: 'm1', key: secret('') });
  assert.ok(opened.kind === 'open');
  const step = (name: string) => opened.session.run({ name, script: '', timeoutMs: 1000 });

  lead();
  await step('first');
  await clock.advance(11_000);
  await assert.rejects(step('second'), NOT_LEADING);

  assert.deepEqual(ran, ['first']);
});
