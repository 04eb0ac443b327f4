// macOS starts no VM for a user without a session at the screen: looked at, and repaired once, before each start (agent-20).

import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { defineError } from '../../base/errors.ts';

const noSession = defineError('PIPPIN_E_NO_GUI_SESSION', {
  retry: 'backoff',
  remedy: 'Log the agent’s user in at the screen of this Mac; automatic login must be on',
  says: (user: number) => `User ${user} has no session at the screen of this Mac, without which no VM can start`,
});

const POLL_MS = 1000;
const POLLS = 30;

/** Does nothing where there is no launchd. */
export async function ensureGuiSession(): Promise<void> {
  const user = process.getuid?.();
  if (process.platform !== 'darwin' || user === undefined || (await hasSession(user))) return;

  await run('/usr/bin/sudo', ['-n', '/usr/bin/killall', '-HUP', 'loginwindow']);
  for (let polls = 0; polls < POLLS; polls++) {
    await sleep(POLL_MS);
    if (await hasSession(user)) return;
  }
  throw noSession(user);
}

const hasSession = (user: number): Promise<boolean> =>
  run('/usr/bin/sudo', ['-n', '/bin/launchctl', 'print', `gui/${user}`]);

async function run(program: string, args: readonly string[]): Promise<boolean> {
  try {
    await promisify(execFile)(program, args, { timeout: 10_000 });
    return true;
  } catch {
    return false;
  }
}
