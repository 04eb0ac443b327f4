// Who this host is: its name, the hardware's own id, and the address by which others reach it.

import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { hostname, networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { HostFacts } from '../../agent/host.ts';
import { defineError } from '../../base/errors.ts';

const hardwareUuidUnknown = defineError('PIPPIN_E_HARDWARE_UUID', {
  retry: 'never',
  remedy:
    'Run the agent with --provider-id, or find out why `ioreg -rd1 -c IOPlatformExpertDevice` shows no IOPlatformUUID',
  says: (why: string) => `The hardware's own id cannot be read: ${why}`,
});

/** `stateDir` keeps the id of a host whose hardware tells none (a simulated Mac). */
export async function hostFacts(stateDir: string): Promise<HostFacts> {
  const address = firstAddress();
  return {
    hostname: hostname(),
    hardwareUuid: process.platform === 'darwin' ? await platformUuid() : await inventedUuid(stateDir),
    ...(address === undefined ? {} : { address }),
  };
}

async function platformUuid(): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)('/usr/sbin/ioreg', ['-rd1', '-c', 'IOPlatformExpertDevice'], {
      timeout: 10_000,
    });
    const found = /"IOPlatformUUID" = "([0-9A-Fa-f-]+)"/.exec(stdout)?.[1];
    if (found !== undefined) return found.toLowerCase();
  } catch (error) {
    throw hardwareUuidUnknown.causedBy(error, 'ioreg failed');
  }
  throw hardwareUuidUnknown('ioreg does not name it');
}

async function inventedUuid(stateDir: string): Promise<string> {
  const path = join(stateDir, 'hardware-uuid');
  const known = await readFile(path, 'utf8').catch(() => '');
  if (known.trim() !== '') return known.trim();

  const made = randomUUID();
  await mkdir(stateDir, { recursive: true, mode: 0o700 });
  await writeFile(`${path}.new`, made, { mode: 0o600 });
  await rename(`${path}.new`, path);
  return made;
}

/** The first IPv4 address that is not loopback, link-local, or a bridge of tart's own (agent-75). */
function firstAddress(): string | undefined {
  for (const [name, addresses] of Object.entries(networkInterfaces())) {
    if (/^(bridge|vmnet)/.test(name)) continue;
    const usable = addresses?.find(
      address => address.family === 'IPv4' && !address.internal && !address.address.startsWith('169.254.'),
    );
    if (usable !== undefined) return usable.address;
  }
  return undefined;
}
