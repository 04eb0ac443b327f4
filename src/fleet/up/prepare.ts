// What is looked at before a fleet is started, and before the bulk of the program is even loaded.

import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { portTaken } from '../../adapters/http/server.ts';
import { dataFolder, isBegun } from './data-folder.ts';
import { isFree } from './ports.ts';

export interface Place {
  readonly dataDir: string;
  readonly port: number;
}

/** The absolute path of the data folder. Throws, and leaves everything as it is, when folder or port cannot be had. */
export async function prepare({ dataDir, port }: Place): Promise<string> {
  // A new folder is not even made; an old one is locked first, since its own fleet may be what listens there.
  if (port !== 0 && !isBegun(dataDir) && !(await isFree(port))) throw portTaken('127.0.0.1', port);
  const folder = dataFolder(dataDir);
  // Compiled code is kept: the next start takes a third of the time, and so does every agent, which shares most of it.
  enableCompileCache(compileCacheIn(folder));
  return folder;
}

export const compileCacheIn = (dataDir: string): string => join(dataDir, 'cache');
