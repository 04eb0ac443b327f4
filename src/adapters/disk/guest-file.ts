// Reads a file that a guest wrote into its share. Guests are not trusted: nothing but a small regular file counts.

import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { GuestFile } from '../../agent/host.ts';

const MAX_BYTES = 4096;

/** Undefined for what is absent, a link, a pipe, a folder, or too large (agent-39). Never blocks on a pipe. */
export async function readGuestFile(path: string): Promise<GuestFile | undefined> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const stat = await file.stat();
    if (!stat.isFile() || stat.size > MAX_BYTES) return undefined;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_BYTES + 1), 0, MAX_BYTES + 1, 0);
    if (bytesRead > MAX_BYTES) return undefined;
    return { text: buffer.toString('utf8', 0, bytesRead), modifiedMs: Math.floor(stat.mtimeMs) };
  } catch {
    return undefined;
  } finally {
    await file.close();
  }
}
