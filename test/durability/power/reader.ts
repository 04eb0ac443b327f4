// The program that is traced after a kill: opens the store, says all that it sees, and ends without a word to the store.

import { writeSync } from 'node:fs';
import process from 'node:process';
import { sqliteStore } from '../../../src/adapters/sqlite/store.ts';
import { contentOf } from './seen.ts';

const [file = ''] = process.argv.slice(2);
writeSync(1, contentOf(sqliteStore(file)));
process.exit(0);
