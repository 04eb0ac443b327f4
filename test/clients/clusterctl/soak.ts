// `npm run soak:move`: clusterctl is killed after every write of a move, or after an even `--sample N` of them, between embedded
// APIs or, with `--real`, real ones. Each move starts where the one before ended: there, back, there. Several pairs of APIs run
// side by side (`--pairs N`). `--records FOLDER` notes each kill there, and makes only those that are not noted yet: a soak may
// take several sittings. It ends at the first violation.

import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import process from 'node:process';
import { CLUSTERCTL_VERSION } from '../../../scripts/clients/programs.ts';
import { messageOf } from '../../../src/base/errors.ts';
import { exitOnSignals } from '../../exit-on-signals.ts';
import { noRecords, type Records, recordsIn } from '../../faults/record.ts';
import { Account } from './soak/account.ts';
import { type Asked, asked } from './soak/asked.ts';
import { digestOfSource, evenly, type Killed } from './soak/kill.ts';
import { type Order, pair, type Told } from './soak/pair.ts';

const say = (lines: readonly string[]): void => lines.forEach(line => void process.stdout.write(`${line}\n`));

const secondsSince = (ms: number): number => (performance.now() - ms) / 1000;

class Soak {
  readonly #what: Asked;
  readonly #records: Records<Killed>;
  readonly #code = digestOfSource();
  readonly #startMs = performance.now();
  /** Since then it is killed: a fleet has come up, and went there and back. */
  #beginMs = 0;
  #life: string | undefined;
  #account: Account | undefined;
  /** The writes after which nobody was told to kill it yet. */
  #next: number[] = [];

  constructor(what: Asked) {
    this.#what = what;
    this.#records = what.folder === undefined ? noRecords : recordsIn(what.folder);
  }

  /** What the pair that told this does next. */
  hear(told: Told): Order {
    if ('writes' in told) this.#begin(told.writes);
    else this.#note({ ...told.killed, scenario: this.#scenario, code: this.#code });
    const nth = this.#next.shift();
    return nth === undefined ? { end: true } : { nth };
  }

  end(): void {
    say(this.#account?.end(secondsSince(this.#startMs)) ?? []);
    if (this.#account?.isClean() !== true) process.exitCode = 1;
  }

  get #scenario(): string {
    return `move/${this.#what.side}-${this.#what.machines}`;
  }

  /** Objects of one kind come in any order: the same writes are the same life. */
  #begin(writes: readonly string[]): void {
    const life = [CLUSTERCTL_VERSION, ...[...writes].sort()].join('\n');
    if (this.#life !== undefined && this.#life !== life) throw new Error('two pairs of APIs saw different moves');
    if (this.#life !== undefined) return;
    this.#life = life;
    this.#beginMs = performance.now();
    const { sample, every, machines, pairs, side } = this.#what;
    const expected = evenly(sample ?? writes.length, writes.length);
    this.#account = new Account(expected, this.#records.of(this.#scenario, { trace: life }), every);
    this.#next = [...this.#account.missing];
    const counts = `${writes.length} writes of clusterctl; it is killed after ${expected.length} of them`;
    say([`${machines} machines, ${pairs} pairs of ${side} APIs, ${counts}, ${this.#next.length} of them now`]);
  }

  #note(killed: Killed): void {
    this.#records.add(killed);
    say(this.#account?.add(killed, secondsSince(this.#beginMs)) ?? []);
    if (killed.violations.length > 0) this.#next = [];
  }
}

async function soak(what: Asked, args: readonly string[]): Promise<void> {
  const all = new Soak(what);
  // Nothing is killed here but clusterctl: what the servers keep needs no disk.
  const memory = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
  const env = { ...process.env, TMPDIR: process.env.TMPDIR ?? memory };
  const children: ChildProcess[] = [];
  process.once('exit', () => children.forEach(child => void child.kill('SIGTERM')));
  const ends: Promise<void>[] = [];
  for (let n = 0; n < what.pairs; n += 1) {
    const child = fork(import.meta.filename, [...args, '--pair'], { env });
    children.push(child);
    const isUp = new Promise<void>(resolve => child.once('message', () => resolve()));
    ends.push(heard(child, all));
    // One after the other: starts of many servers at once starve each other.
    await Promise.race([isUp, ends.at(-1)]);
  }
  await Promise.all(ends);
  all.end();
}

function heard(child: ChildProcess, all: Soak): Promise<void> {
  return new Promise((resolve, reject) => {
    child.on('message', told => {
      try {
        child.send(all.hear(told as Told));
      } catch (error) {
        reject(error);
      }
    });
    child.once('exit', code => (code === 0 ? resolve() : reject(new Error(`a pair of APIs ended with ${code}`))));
  });
}

function understood(args: readonly string[]): Asked {
  try {
    return asked(args);
  } catch (error) {
    process.stderr.write(`npm run soak:move: ${messageOf(error)}\n`);
    return process.exit(2);
  }
}

exitOnSignals();
const args = process.argv.slice(2);
const what = understood(args);
await (what.isPair ? pair(what) : soak(what, args));
