// Where a run takes place: a real control plane with the managers beside it, or all of Pippin in one process.

import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { httpTransport } from '../../src/adapters/http/client.ts';
import { systemClock as clock } from '../../src/adapters/system/clock.ts';
import { systemRandom as random } from '../../src/adapters/system/random.ts';
import { clusterAccess } from '../../src/fleet/cluster-access.ts';
import { installDefinitions } from '../../src/fleet/definitions.ts';
import type { Api } from '../../src/kube/api.ts';
import { client } from '../../src/kube/client.ts';
import type { Transport } from '../../src/kube/transport.ts';
import { startRealKube } from '../../test/kube/real.ts';
import type { Target } from '../api/connection.ts';
import { children } from '../api/resources.ts';
import type { Calls } from './calls.ts';
import type { Passes } from './passes.ts';
import type { Answer, Asked } from './program.ts';
import { Sight } from './sight.ts';

export type PlaceName = 'embedded' | 'real';

export interface Figures {
  readonly calls: Calls;
  readonly passes: Passes;
  /** Of the managers' process: in one process with the API, of both. */
  readonly cpuMs: number;
}

export interface Place {
  readonly name: PlaceName;
  /** As a client of the bench. */
  readonly api: Api;
  readonly target: Target;
  /** Of the process in which the managers are; others are the servers'. */
  readonly programPid: number;
  readonly pids: readonly number[];
  sight(namespace: string): Sight;
  startManagers(): Promise<void>;
  figures(): Promise<Figures>;
  stop(): Promise<void>;
}

const PROGRAM = resolve(import.meta.dirname, 'program.ts');

/** Afresh, with fsync, with the definitions of all kinds. `profileTo`: where the program leaves its CPU profile. */
export async function startPlace(name: PlaceName, profileTo?: string): Promise<Place> {
  const stops: (() => Promise<void> | void)[] = [];
  const stop = async (): Promise<void> => {
    for (const each of stops.splice(0).reverse()) await each();
  };
  try {
    const where = name === 'real' ? await realIn(stops) : folderIn(stops);
    const program = await startProgram([name, where, ...(profileTo === undefined ? [] : [profileTo])]);
    stops.push(() => program.end());
    const { kubeconfig } = program;
    const access = await clusterAccess({ kubeconfig, env: {}, clock });
    const transport = httpTransport(access);
    const api = client(transport, { clock });
    await installDefinitions({ api, clock }, ['mac', 'metal', 'stand-ins for metal']);
    const target = { url: access.server, caPem: access.caPem ?? '', token: (await access.token?.()) ?? '' };
    return {
      name,
      api,
      target,
      programPid: program.pid,
      pids: children(),
      sight: namespace => new Sight(transport as Transport, { clock, random }, namespace),
      startManagers: async () => void (await program.ask('start managers')),
      figures: async () => figuresOf(await program.ask('figures')),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Stops = (() => Promise<void> | void)[];

/** Its kubeconfig. */
async function realIn(stops: Stops): Promise<string> {
  const kube = await startRealKube({ durable: true });
  stops.push(() => kube.stop());
  return kube.kubeconfig;
}

function folderIn(stops: Stops): string {
  const folder = mkdtempSync(join(tmpdir(), 'pippin-bench-'));
  stops.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function figuresOf(answer: Answer): Figures {
  if (answer.to !== 'figures') throw new Error(`the program answered ${answer.to}`);
  return { calls: new Map(answer.calls), passes: new Map(answer.passes), cpuMs: answer.cpuMs };
}

interface Program {
  readonly kubeconfig: string;
  readonly pid: number;
  ask(what: Asked): Promise<Answer>;
  end(): Promise<void>;
}

async function startProgram(argv: readonly string[]): Promise<Program> {
  const child = fork(PROGRAM, argv);
  const ended = new Promise<void>(done => child.once('exit', () => done()));
  const answer = await next(child);
  if (answer.to !== 'ready') throw new Error('the program began with another word');
  return {
    kubeconfig: answer.kubeconfig,
    pid: child.pid ?? 0,
    ask: what => {
      const answered = next(child);
      child.send(what);
      return answered;
    },
    end: async () => {
      if (child.connected) child.send('end' satisfies Asked);
      await ended;
    },
  };
}

function next(child: ChildProcess): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const gone = (): void => reject(new Error('the program ended'));
    child.once('exit', gone);
    child.once('message', message => {
      child.removeListener('exit', gone);
      resolve(message as Answer);
    });
  });
}
