// The model in this process holds the runtime's contract.

import { type RuntimeUnderTest, vmRuntimeContract } from '../../src/agent/vm-runtime.contract.ts';
import type { VmRuntime } from '../../src/agent/vm-runtime.ts';
import { virtualClock } from '../time/clock.ts';
import { contractRegistry } from './contract-registry.testing.ts';
import { inProcessTart } from './in-process.ts';

vmRuntimeContract('model in this process', async (): Promise<RuntimeUnderTest> => {
  const clock = virtualClock();
  const written = new Map<string, string>();
  const tart = inProcessTart({
    clock,
    registry: () => contractRegistry,
    guestWrites: (_, file, text) => void written.set(file, text),
  });
  /** Nobody else moves this clock while a pull waits for it. */
  const pull: VmRuntime['pull'] = async (image, onProgress) => {
    const pulling = tart.pull(image, onProgress);
    let over = false;
    const watched = pulling.finally(() => {
      over = true;
    });
    watched.catch(() => undefined);
    await clock.runUntil(() => over, 60_000);
    return watched;
  };
  return {
    runtime: { ...tart, pull },
    pass: seconds => clock.advance(seconds * 1000),
    run: { shares: [{ name: 'status', path: '/status', access: 'read-write' }] },
    statusFile: async name => written.get(name),
    end: async () => undefined,
  };
});
