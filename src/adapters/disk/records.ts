// The agent's notes as files: one JSON document each, written whole under another name first.

import { createHash } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentRecords, ImageRecord, VmRecord } from '../../agent/records.ts';
import { defineError } from '../../base/errors.ts';

const recordUnreadable = defineError('PIPPIN_E_AGENT_RECORD', {
  retry: 'backoff',
  remedy: 'Restore the file or remove it; until then the agent deletes no VM and no image on this host',
  says: (path: string) => `The agent's record ${path} cannot be read`,
});

/** A record that cannot be read fails the whole list: acting on half of it could delete what the other half protects. */
export function fileRecords(stateDir: string): AgentRecords {
  const vms = folder<VmRecord>(join(stateDir, 'vms'), record => typeof record.vm === 'string');
  const images = folder<ImageRecord>(join(stateDir, 'images'), record => Array.isArray(record.names));
  return {
    vms: vms.all,
    vm: vms.find,
    putVm: record => vms.put(record.vm, record),
    dropVm: vms.drop,
    images: images.all,
    putImage: record => images.put(record.contentId, record),
    dropImage: images.drop,
  };
}

interface Folder<T> {
  all(): Promise<readonly T[]>;
  find(id: string): Promise<T | undefined>;
  put(id: string, record: T): Promise<void>;
  drop(id: string): Promise<void>;
}

function folder<T extends object>(dir: string, isRecord: (record: T) => boolean): Folder<T> {
  const pathOf = (id: string): string => join(dir, `${fileName(id)}.json`);

  async function read(path: string): Promise<T | undefined> {
    const text = await readFile(path, 'utf8').catch(ifMissing);
    if (text === undefined) return undefined;
    try {
      const record: T = JSON.parse(text);
      if (isRecord(record)) return record;
    } catch (error) {
      throw recordUnreadable.causedBy(error, path);
    }
    throw recordUnreadable(path);
  }

  return {
    all: async () => {
      const names = (await readdir(dir).catch(ifMissing)) ?? [];
      const records = await Promise.all(
        names.filter(name => name.endsWith('.json')).map(name => read(join(dir, name))),
      );
      return records.filter(record => record !== undefined);
    },
    find: id => read(pathOf(id)),
    put: async (id, record) => {
      await mkdir(dir, { recursive: true, mode: 0o700 });
      const path = pathOf(id);
      const file = await open(`${path}.new`, 'w', 0o600);
      try {
        await file.writeFile(`${JSON.stringify(record, null, 2)}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(`${path}.new`, path);
    },
    drop: id => rm(pathOf(id), { force: true }),
  };
}

/** VM names are file names already; content ids have slashes. */
const fileName = (id: string): string =>
  /^[A-Za-z0-9._-]{1,200}$/.test(id) ? id : createHash('sha256').update(id).digest('hex');

function ifMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
}
