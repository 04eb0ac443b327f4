// The agent's host on the real disk: staged files for guests, what guests wrote, and how full the disk is.

import { constants } from 'node:fs';
import { mkdir, open, readdir, rename, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentHost, StagedFile } from '../../agent/host.ts';
import { messageOf } from '../../base/errors.ts';
import { present, unknown } from '../../base/sighting.ts';
import { hostFacts } from '../launchd/host-facts.ts';
import { readGuestFile } from './guest-file.ts';

export interface AgentHostOptions {
  /** Staged files per VM; upstream's agent uses /var/lib/tart-userdata. */
  readonly userDataDir: string;
  /** A folder on the volume that holds the VMs. */
  readonly vmDir: string;
  readonly stateDir: string;
}

export function agentHost({ userDataDir, vmDir, stateDir }: AgentHostOptions): AgentHost {
  const dirOf = (vm: string): string => join(userDataDir, vm);
  return {
    facts: () => hostFacts(stateDir),
    disk: async () => {
      try {
        await mkdir(vmDir, { recursive: true, mode: 0o700 });
        const { bsize, blocks, bavail } = await statfs(vmDir);
        return present({ totalBytes: bsize * blocks, freeBytes: bsize * bavail });
      } catch (error) {
        return unknown(messageOf(error));
      }
    },
    stage: async (vm, files) => {
      const folders = { env: dirOf(vm), status: join(dirOf(vm), 'status') };
      await rm(folders.status, { recursive: true, force: true });
      await mkdir(folders.status, { recursive: true, mode: 0o700 });
      for (const file of files) await writePrivate(join(folders.env, file.name), file);
      return folders;
    },
    unstage: vm => rm(dirOf(vm), { recursive: true, force: true }),
    staged: async () => {
      const entries = await readdir(userDataDir, { withFileTypes: true }).catch(ifMissing);
      return entries.filter(entry => entry.isDirectory()).map(entry => entry.name);
    },
    guestFile: (vm, name) => readGuestFile(join(dirOf(vm), 'status', name)),
  };
}

/** Whole or not at all, and never readable by others on the way. */
async function writePrivate(path: string, { content }: StagedFile): Promise<void> {
  const file = await open(`${path}.new`, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC, 0o600);
  try {
    await file.chmod(0o600);
    await file.writeFile(content);
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
}

/** A folder that is not there yet is empty; every other failure is one. */
function ifMissing(error: unknown): [] {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
  throw error;
}
