// `pippin up`: a whole fleet on this machine, from an empty folder to a Pod that runs, and back to nothing.

import { join } from 'node:path';
import process from 'node:process';
import { realKeys } from '../../adapters/keys/index.ts';
import { systemClock } from '../../adapters/system/clock.ts';
import { systemRandom } from '../../adapters/system/random.ts';
import { Pod } from '../../kube/core/pod.ts';
import { aborted } from '../aborted.ts';
import { Closing } from './closing.ts';
import { type ControlPlane, type ControlPlaneSetup, startControlPlane } from './control-plane.ts';
import { createDemo, DEMO_NAMESPACE, DEMO_POD, demoMachines, demoPod, REAL_IMAGE } from './demo.ts';
import { unsayReadiness } from './fresh-start.ts';
import { keep, readKept } from './kept-json.ts';
import { fileLog } from './log-file.ts';
import { startMacs } from './macs.ts';
import { startMetal } from './metal.ts';
import { metalDemo } from './metal-demo.ts';
import { metalIsUp, tellingMetal } from './metal-watching.ts';
import { isOnPath, nextSteps } from './next-steps.ts';
import { checkTart, startThisMac, type ThisMac } from './this-mac.ts';
import { runs, telling } from './watching.ts';

export interface UpOptions {
  /** Prepared: see prepare.ts. */
  readonly dataDir: string;
  readonly port: number;
  /** Simulated ones, at least so many; or this one, with the real tart. */
  readonly macs: number | ThisMac;
  /** Simulated bare-metal machines of a new fleet; 0: nothing of Metal3 runs. */
  readonly metal: number;
  /** What a new fleet begins with. */
  readonly objects: 'demo' | 'none';
  readonly say: (line: string) => void;
}

/** Runs until the signal aborts; then nothing that it started is left. Throws when the start fails, with nothing left either. */
export async function up(options: UpOptions, signal: AbortSignal): Promise<void> {
  const log = fileLog(options.dataDir);
  const seams = { clock: systemClock, random: systemRandom, keys: realKeys, log };
  const closing = new Closing(seams);
  const failed = new AbortController();
  const running = startAndStay({ ...seams, ...options }, closing, AbortSignal.any([signal, failed.signal]));
  try {
    await Promise.race([running, closing.failed]);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    failed.abort(new Error('the fleet stops'));
    // What a start that goes on has begun must be known before everything is ended.
    await running.catch(() => undefined);
    await closing.close();
  }
}

async function startAndStay(setup: Start, closing: Closing, signal: AbortSignal): Promise<void> {
  if (typeof setup.macs === 'object') await checkTart(setup.macs, setup.dataDir);
  await start(setup, closing, signal);
  await aborted(signal);
  setup.say('stopping: VMs, agents, controllers, API');
}

type Start = UpOptions & Omit<ControlPlaneSetup, 'providers'>;

async function start(setup: Start, closing: Closing, signal: AbortSignal): Promise<void> {
  const { say, clock, macs, metal } = setup;
  const startedMs = clock.now();
  const providers = metal > 0 ? (['mac', 'metal'] as const) : (['mac'] as const);
  const plane = await startControlPlane({ ...setup, providers }, closing);
  say(`control plane ready at ${plane.served.url}`);
  signal.throwIfAborted();
  await unsayReadiness(plane.api, clock);
  closing.run('progress', telling({ world: plane.world, startedMs, say }));
  if (typeof macs === 'object') startThisMac(plane, macs, setup, closing);
  else if (macs > 0) await startMacs(plane, { ...setup, macs }, closing);
  signal.throwIfAborted();
  const workload = metal > 0 ? await beginMetal(setup, plane, closing) : undefined;
  await beginWith(setup, plane);
  const pod = await runs({ namespace: DEMO_NAMESPACE, name: DEMO_POD }, plane, signal);
  const machines = workload === undefined ? 0 : await metalIsUp(plane, signal);
  say(readyLine({ pod, machines, tookMs: clock.now() - startedMs }));
  const { kubeconfigFile } = plane.served;
  const situation = { kubeconfigFile, hasKubectl: isOnPath('kubectl'), platform: process.platform };
  const has = { macs: macs !== 0, ...(workload === undefined ? {} : { workload }) };
  for (const line of nextSteps({ ...situation, ...has })) say(line);
}

/** Answers the kubeconfig of the workload cluster. */
async function beginMetal(setup: Start, plane: ControlPlane, closing: Closing): Promise<string> {
  const { say, metal, dataDir, objects } = setup;
  const workload = await startMetal(plane, setup, closing);
  closing.run('progress of metal', tellingMetal({ world: plane.world, say }));
  const file = join(dataDir, 'begun-metal.json');
  if (readKept(file) !== undefined) return workload;
  if (objects === 'demo') await createDemo(plane.api, metalDemo(metal));
  keep(file, { objects });
  return workload;
}

/** Only a new folder gets the demo: what a person deleted stays deleted (up-8). */
async function beginWith({ dataDir, macs, objects }: Start, { api }: ControlPlane): Promise<void> {
  const file = join(dataDir, 'begun.json');
  if (readKept(file) !== undefined) return;
  if (objects === 'demo') await createDemo(api, demoOn(macs));
  keep(file, { objects });
}

/** This Mac needs no machine: it is there. */
function demoOn(macs: UpOptions['macs']): ReturnType<typeof demoMachines> {
  if (typeof macs === 'object') return [[Pod, demoPod(REAL_IMAGE)]];
  return macs === 0 ? [] : [...demoMachines(macs), [Pod, demoPod()]];
}

interface Reached {
  readonly pod: Pod | undefined;
  readonly machines: number;
  readonly tookMs: number;
}

function readyLine({ pod, machines, tookMs }: Reached): string {
  const runs = pod === undefined ? [] : [`Pod ${DEMO_NAMESPACE}/${DEMO_POD} runs on ${pod.spec.nodeName ?? 'a Mac'}`];
  const up =
    machines === 0
      ? []
      : [`${machines} bare-metal ${machines === 1 ? 'machine has its Node' : 'machines have their Nodes'}`];
  const what = [...runs, ...up].join(', ') || 'the API answers';
  return `ready after ${(tookMs / 1000).toFixed(1)} s: ${what}`;
}
