// The program that is traced for backups: fills a store, backs it up, and restores it in its own place; says each when it is done.

import { writeSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { writeBackup } from '../../../src/adapters/sqlite/backup.ts';
import { restoreBackup } from '../../../src/adapters/sqlite/restore.ts';
import { sqliteStore } from '../../../src/adapters/sqlite/store.ts';
import { privateFile } from '../../../src/fleet/api-files.ts';
import { objectOf } from './said.ts';

const [folder = '', objects = '0'] = process.argv.slice(2);
const store = join(folder, 'api.db');
const backup = join(folder, 'kept.backup');
const onProgress = (): void => undefined;
const say = (line: string): void => void writeSync(1, line);

const opened = sqliteStore(store);
const put = (n: number): Promise<unknown> =>
  opened.write({ storage: 'things', namespace: '', name: `n${n}`, expected: 0, object: objectOf(`n${n}`, n, 3000) });
await Promise.all(Array.from({ length: Number(objects) }, (_, n) => put(n)));
await opened.close();
say('stored');

writeBackup({ store, out: backup, secrets: { key: 'secret' }, onProgress });
say('backed up');

const putSecrets = ({ key = '' }: Readonly<Record<string, string>>): void => privateFile(join(folder, 'key'), key);
restoreBackup({ backup, store, nowMs: 0, onProgress, putSecrets });
say('restored');
