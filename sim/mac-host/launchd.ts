// The stand-in launchd: really starts what a job's file says, keeps it alive, and knows its own again after a restart.

import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Clock } from '../../src/base/clock.ts';
import { type JobFile, readPlist } from './plist.ts';
import { end, isAlive, kill, type LiveProcess, processOf } from './processes.ts';

export interface LaunchdOptions {
  readonly clock: Clock;
  /** Remembers which process is whose, so that the next start finds them by pid and start time. */
  readonly stateFile: string;
  /** What every job's environment has besides its own. */
  readonly environment: Readonly<Record<string, string>>;
}

interface Job {
  readonly file: JobFile;
  readonly path: string;
  running: LiveProcess | undefined;
  startedAtMs: number;
  cancelTimer: (() => void) | undefined;
}

interface Remembered {
  readonly path: string;
  readonly running?: LiveProcess;
}

const WATCH_MS = 250;
const EXIT_GRACE_MS = 5_000;

export class Launchd {
  readonly #options: LaunchdOptions;
  readonly #jobs = new Map<string, Job>();

  /** Takes over jobs that an earlier process of ours left running. */
  constructor(options: LaunchdOptions) {
    this.#options = options;
    for (const { path, running } of this.#remembered()) {
      if (!existsSync(path)) continue;
      const job = this.#add(path);
      job.running = running !== undefined && isAlive(running) ? running : undefined;
      this.#watch(job);
    }
  }

  /** Lines of `launchctl print system/<label>`; undefined when there is no such job. */
  print(label: string): readonly string[] | undefined {
    const job = this.#jobs.get(label);
    if (job === undefined) return undefined;
    const pid = this.#pidOf(job);
    return [`system/${label} = {`, `\tpath = ${job.path}`, ...(pid === undefined ? [] : [`\tpid = ${pid}`]), '}'];
  }

  /** Loads a job; false when one of that label is there already. */
  bootstrap(path: string): boolean {
    if (this.#jobs.has(readPlist(readFileSync(path, 'utf8')).label)) return false;
    const job = this.#add(path);
    if (job.file.runAtLoad) this.#start(job);
    this.#watch(job);
    return true;
  }

  /** Ends a job's process and forgets the job; false when there is none. */
  async bootout(label: string): Promise<boolean> {
    const job = this.#jobs.get(label);
    if (job === undefined) return false;
    job.cancelTimer?.();
    if (job.running !== undefined) await end(job.running, this.#options.clock, EXIT_GRACE_MS);
    this.#jobs.delete(label);
    this.#remember();
    return true;
  }

  /** Ends a job's process and starts it anew, without waiting for the throttle. */
  async kickstart(label: string): Promise<boolean> {
    const job = this.#jobs.get(label);
    if (job === undefined) return false;
    job.cancelTimer?.();
    if (job.running !== undefined) await end(job.running, this.#options.clock, EXIT_GRACE_MS);
    this.#start(job);
    this.#watch(job);
    return true;
  }

  /** Loads what is in /Library/LaunchDaemons, as a boot does. */
  boot(folder: string): void {
    if (!existsSync(folder)) return;
    for (const name of readdirSync(folder).filter(each => each.endsWith('.plist'))) this.bootstrap(join(folder, name));
  }

  /** All processes at once, without a word to them. */
  async powerOff(): Promise<void> {
    const jobs = [...this.#jobs.values()];
    this.#jobs.clear();
    this.#remember();
    for (const job of jobs) {
      job.cancelTimer?.();
      if (job.running !== undefined) await kill(job.running, this.#options.clock);
    }
  }

  /** Ends every job in order. */
  async shutDown(): Promise<void> {
    await Promise.all([...this.#jobs.keys()].map(label => this.bootout(label)));
  }

  /** Stops looking after the jobs; their processes run on. */
  abandon(): void {
    for (const job of this.#jobs.values()) job.cancelTimer?.();
  }

  #add(path: string): Job {
    const file = readPlist(readFileSync(path, 'utf8'));
    const job: Job = { file, path, running: undefined, startedAtMs: -Infinity, cancelTimer: undefined };
    this.#jobs.set(file.label, job);
    return job;
  }

  #start(job: Job): void {
    const { clock, environment } = this.#options;
    const [command = '', ...args] = job.file.program;
    job.startedAtMs = clock.monotonic();
    const log = this.#logOf(job);
    const child = spawn(command, args, {
      detached: true,
      stdio: ['ignore', log, log],
      env: { ...job.file.environment, ...environment },
    });
    // A program that cannot be started is one that has ended: the throttle decides when it is tried again.
    child.on('error', () => undefined);
    child.unref();
    if (typeof log === 'number') closeSync(log);
    job.running = child.pid === undefined ? undefined : processOf(child.pid);
    this.#remember();
  }

  #logOf(job: Job): number | 'ignore' {
    if (job.file.log === undefined) return 'ignore';
    mkdirSync(dirname(job.file.log), { recursive: true });
    return openSync(job.file.log, 'a');
  }

  /** Looks at a job every now and then; one that ended is started again, no sooner than its throttle allows. */
  #watch(job: Job): void {
    job.cancelTimer?.();
    job.cancelTimer = this.#options.clock.after(WATCH_MS, () => {
      const sinceMs = this.#options.clock.monotonic() - job.startedAtMs;
      const isDown = job.running === undefined || !isAlive(job.running);
      if (isDown && job.file.keepAlive && sinceMs >= job.file.throttleSeconds * 1000) this.#start(job);
      this.#watch(job);
    });
  }

  #pidOf(job: Job): number | undefined {
    return job.running !== undefined && isAlive(job.running) ? job.running.pid : undefined;
  }

  #remember(): void {
    const jobs = [...this.#jobs.values()].map(({ path, running }) => ({ path, ...(running && { running }) }));
    mkdirSync(dirname(this.#options.stateFile), { recursive: true });
    writeFileSync(this.#options.stateFile, JSON.stringify(jobs), { mode: 0o600 });
  }

  #remembered(): readonly Remembered[] {
    try {
      return JSON.parse(readFileSync(this.#options.stateFile, 'utf8'));
    } catch {
      return [];
    }
  }
}
