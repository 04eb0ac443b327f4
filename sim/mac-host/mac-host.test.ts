import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { sshShell } from '../../src/adapters/ssh/shell.ts';
import { systemClock } from '../../src/adapters/system/clock.ts';
import type { HostSession, HostStep } from '../../src/mac/host-shell.ts';
import { AGENT_LABEL } from '../../src/mac/machine/bootstrap/agent-job.ts';
import { HOST_COMMANDS } from '../../src/mac/machine/bootstrap/script.ts';
import { type SetUp, setUpSteps, sudoStep } from '../../src/mac/machine/bootstrap/steps.ts';
import { secret } from '../../src/mac/secret-text.ts';
import { ScalewayModel } from '../scaleway/model.ts';
import type { SimServer } from '../scaleway/state.ts';
import { seededRandom } from '../time/random.ts';
import { simulatedArtifacts } from './artifacts.ts';
import { MacHosts } from './hosts.ts';
import { processesOf } from './processes.ts';
import { newKeyPair } from './ssh-keys.ts';

/** Stands for the agent and for tart: prints its arguments and stays, as an agent does. */
const AGENT = ['/bin/sh', '-c', 'echo "agent $*"; while :; do sleep 0.2; done', 'agent'];
const TART = ['/bin/sh', '-c', ':', 'tart'];

describe('a simulated Mac', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mac-host-'));
  const pair = newKeyPair('fleet');
  const model = new ScalewayModel({
    clock: systemClock,
    random: seededRandom('mac-host'),
    durations: { reinstalling: 300, rebooting: 100 },
  });
  model.createSSHKey('fleet', pair.public);
  let hosts = new MacHosts({ clock: systemClock, model, folder, commands: HOST_COMMANDS });
  let server: SimServer;

  before(async () => {
    server = model.order({ name: 'mac-0' });
    await hosts.open();
  });
  after(async () => {
    await hosts.close();
    model.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const root = (): string => hosts.mac(server.id).root;
  const shell = sshShell({ clock: systemClock, route: address => hosts.route(address) });
  const login = (key = pair.private) => ({ address: server.ip, user: 'm1', key: secret(key) });

  async function session(): Promise<{ session: HostSession; fingerprint: string }> {
    const opened = await shell.open(login());
    assert.ok(opened.kind === 'open', JSON.stringify(opened));
    return opened;
  }

  async function run(steps: readonly HostStep[]): Promise<void> {
    const { session: open } = await session();
    for (const step of steps) {
      const { exitCode, stderr } = await open.run(step);
      assert.equal(exitCode, 0, `${step.name}: ${stderr}`);
    }
    open.close();
  }

  const setUp = (): SetUp => ({
    machineName: 'mac-0',
    user: 'm1',
    password: secret(server.sudoPassword),
    kubeconfig: secret('kind: Config # secret'),
    agentFlags: ['--node-name=mac-0', '--kubeconfig=@ROOT@/etc/tart-kubelet/kubeconfig'],
    artifacts: simulatedArtifacts({ agent: AGENT, tart: TART }),
    timing: { settleSeconds: 1, aquaSeconds: 1 },
  });
  const everyStep = async (): Promise<readonly HostStep[]> => [
    sudoStep(setUp()),
    ...(await setUpSteps(setUp(), { tart: undefined, agent: undefined })),
  ];

  test('is set up by the real scripts, as root, without a trace on this machine', async () => {
    const before = surroundings();

    await run(await everyStep());

    assert.deepEqual(surroundings(), before);
    const config = join(root(), 'etc/tart-kubelet/kubeconfig');
    assert.equal(readFileSync(config, 'utf8'), 'kind: Config # secret');
    assert.equal(statSync(config).mode & 0o777, 0o600);
    assert.equal(hosts.mac(server.id).settings.get('scutil HostName'), 'mac-0');
    assert.equal(hosts.mac(server.id).settings.get('pmset -a sleep'), '0');
    assert.equal(hosts.mac(server.id).settings.get('session'), 'm1');
  });

  test('runs the agent under its launchd, with the flags of the job', async () => {
    const agents = processesOf(root());

    assert.equal(agents.filter(({ command }) => command.includes('--node-name=mac-0')).length, 1);
    const log = readFileSync(join(root(), 'var/log/tart-kubelet.log'), 'utf8');
    assert.match(log, new RegExp(`--kubeconfig=${root()}/etc/tart-kubelet/kubeconfig`));
  });

  test('takes the whole set-up again, and then runs a new agent', async () => {
    const before = agentPids();

    await run(await everyStep());

    assert.equal(agentPids().length, 1);
    assert.notDeepEqual(agentPids(), before);
  });

  test('lets in the fleet key only, and shows the same host key each time', async () => {
    const stranger = newKeyPair();
    const first = await session();
    first.session.close();

    const refused = await shell.open(login(stranger.private));
    const changed = await shell.open({ ...login(), pinned: 'SHA256:somethingelse' });
    const again = await shell.open({ ...login(), pinned: first.fingerprint });

    assert.equal(refused.kind, 'refused');
    assert.equal(changed.kind, 'keyChanged');
    assert.equal(again.kind, 'open');
    if (again.kind === 'open') again.session.close();
  });

  test('fails a step that calls a command which is not in the table, wherever it does', async () => {
    const { session: open } = await session();

    const plain = await open.run(stepOf('curl https://example.invalid'));
    const hidden = await open.run(stepOf('if curl x; then :; fi; exit 0'));
    const outside = await open.run(stepOf('cat /etc/hosts || exit 0'));
    open.close();

    assert.equal(plain.exitCode, 127);
    assert.equal(hidden.exitCode, 127);
    assert.notEqual(outside.exitCode, 0);
  });

  test('says so when macOS seals the password file because the password is wrong', async () => {
    const wrong = { ...setUp(), password: secret('not it') };
    const [autoLogin] = await setUpSteps(wrong, { tart: undefined, agent: undefined });
    assert.ok(autoLogin !== undefined);
    const { session: open } = await session();
    const kept = hosts.mac(server.id).settings.get('session');
    hosts.mac(server.id).forgetSettings();

    const { exitCode, stderr } = await open.run(autoLogin);
    open.close();

    assert.equal(kept, 'm1');
    assert.equal(exitCode, 3);
    assert.match(stderr, /sealed/);
    await run([...(await setUpSteps(setUp(), { tart: undefined, agent: undefined }))].slice(0, 1));
  });

  test('keeps its agent when this program is killed, and the next start finds it', async () => {
    const pids = agentPids();
    await hosts.abandon();

    hosts = new MacHosts({ clock: systemClock, model, folder, commands: HOST_COMMANDS });
    await hosts.open();

    assert.deepEqual(agentPids(), pids);
    const { session: open } = await session();
    const { stdout } = await open.run(stepOf(`launchctl print system/${AGENT_LABEL}`));
    open.close();
    assert.match(stdout, new RegExp(`pid = ${pids[0]}`));
  });

  test('loses its agent in a reboot and has a new one after it, without anybody logging in', async () => {
    const before = agentPids();

    model.rebootServer(server.zone, server.id);
    await hosts.settled();
    assert.deepEqual(agentPids(), []);
    await systemClock.sleep(150);
    await hosts.settled();

    assert.equal(agentPids().length, 1);
    assert.notDeepEqual(agentPids(), before);
  });

  test('has no process, no file and another host key after a reinstallation', async () => {
    const before = (await session()).fingerprint;

    model.reinstallServer(server.zone, server.id, undefined);
    await hosts.settled();
    assert.deepEqual(processesOf(root()), []);
    assert.equal((await shell.open(login())).kind, 'unreachable');
    await systemClock.sleep(350);
    await hosts.settled();

    const { session: open, fingerprint } = await session();
    open.close();
    assert.notEqual(fingerprint, before);
    assert.ok(!existsSync(join(root(), 'etc/tart-kubelet')));
  });

  const agentPids = (): number[] =>
    processesOf(root())
      .filter(({ command }) => command.includes('--node-name=mac-0'))
      .map(({ pid }) => pid);
});

const stepOf = (script: string): HostStep => ({ name: 'test', script, timeoutMs: 10_000 });

/** Names, sizes and times of what a set-up of a real Mac would change. */
function surroundings(): unknown {
  const folders = ['/etc', '/etc/sudoers.d', '/usr/local', '/usr/local/lib', '/usr/local/bin', '/var', '/Library'];
  return folders.filter(existsSync).map(folder => [
    folder,
    readdirSync(folder).map(name => {
      const { size, mtimeMs } = statSync(join(folder, name), { throwIfNoEntry: false }) ?? { size: 0, mtimeMs: 0 };
      return [name, size, mtimeMs];
    }),
  ]);
}
