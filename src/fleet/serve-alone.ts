// The embedded API as a program of its own: served until it is told to end.

import { realKeys } from '../adapters/keys/index.ts';
import { systemClock } from '../adapters/system/clock.ts';
import { giveBackWhenIdle } from '../adapters/system/idle-memory.ts';
import { type LogLevel, systemLog } from '../adapters/system/log.ts';
import { systemRandom } from '../adapters/system/random.ts';
import { aborted } from './aborted.ts';
import { serveApi } from './serve-api.ts';
import { dataFolder } from './up/data-folder.ts';

export interface ServeAlone {
  readonly dataDir: string;
  readonly port: number;
  readonly level: LogLevel;
  readonly say: (line: string) => void;
}

export async function serveAlone({ dataDir, port, level, say }: ServeAlone, signal: AbortSignal): Promise<void> {
  const failed = new AbortController();
  const served = await serveApi({
    dataDir: dataFolder(dataDir),
    port,
    clock: systemClock,
    random: systemRandom,
    keys: realKeys,
    log: systemLog({ level }),
    onStoreFailure: error => failed.abort(error),
  });
  giveBackWhenIdle();
  say(`ready at ${served.url}; export KUBECONFIG=${served.kubeconfigFile}`);
  await aborted(AbortSignal.any([signal, failed.signal]));
  await served.close();
  // Whoever supervises this process starts it again, and its clients are told by the closed port.
  failed.signal.throwIfAborted();
}
