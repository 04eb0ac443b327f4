// Where an API for tests keeps what it knows, and the keys that belong to it: in memory, or in a data folder.

import { join } from 'node:path';
import process from 'node:process';
import { realKeys } from '../../adapters/keys/index.ts';
import { systemClock } from '../../adapters/system/clock.ts';
import { systemRandom } from '../../adapters/system/random.ts';
import type { Store } from '../../apiserver/store.ts';
import { memoryStore } from '../../apiserver/store-memory.ts';
import { type ApiSecrets, apiSecrets, newAuthority, newToken, serverCertificate } from '../api-files.ts';
import { dataFolder } from '../up/data-folder.ts';
import { dataDirNeedsSqlite } from './errors.ts';

/** Certificates are judged by TLS, which knows no time but this machine's. */
const seams = { clock: systemClock, random: systemRandom, keys: realKeys };

export interface Kept {
  readonly store: Store;
  readonly secrets: ApiSecrets;
}

export async function keptIn(dataDir: string | undefined): Promise<Kept> {
  if (dataDir === undefined) return { store: memoryStore(), secrets: await newSecrets() };

  const sqliteStore = await sqlite();
  const folder = dataFolder(dataDir);
  const store = sqliteStore(join(folder, 'api.db'));
  try {
    return { store, secrets: await apiSecrets({ ...seams, dataDir: folder }) };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Loaded only for a data folder: older Nodes run the rest without. */
async function sqlite(): Promise<(file: string) => Store> {
  try {
    const { sqliteStore } = await import('../../adapters/sqlite/store.ts');
    return sqliteStore;
  } catch (error) {
    throw dataDirNeedsSqlite.causedBy(error, process.versions.node);
  }
}

async function newSecrets(): Promise<ApiSecrets> {
  const now = systemClock.now();
  const authority = await newAuthority(realKeys, now);
  return {
    authority,
    authorityNotAfter: realKeys.readCertificate(authority.certificatePem)?.notAfter ?? now,
    server: await serverCertificate(seams, authority, now),
    tokenKey: await realKeys.pair(),
    adminToken: newToken(systemRandom),
  };
}
