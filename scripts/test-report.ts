// What `npm test` prints: a line per file, every failure in full, what was skipped by name, node:test's closing lines.

import type { EventData } from 'node:test';
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';

export interface ReportOptions {
  /** Paths are printed relative to this folder. */
  readonly root: string;
  readonly verbose: boolean;
  /** Tests were chosen by name: a file may have none of them. */
  readonly chosen: boolean;
}

/** What the run came to, for the exit code. */
export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

/** Turns the runner's events into lines; adds up in `tally`. */
export async function* report(
  events: AsyncIterable<TestEvent>,
  options: ReportOptions,
  tally: Tally,
): AsyncGenerator<string> {
  const lines = new Report(options, tally);
  for await (const event of events) yield lines.on(event);
  yield lines.close();
}

interface Location {
  readonly file?: string;
  readonly line?: number;
}

class Report {
  readonly #options: ReportOptions;
  readonly #tally: Tally;
  /** What each file printed, until it is known whether anybody needs to see it. */
  readonly #printed = new Map<string, string>();
  readonly #failures: string[] = [];
  readonly #skips: string[] = [];
  readonly #closing: string[] = [];

  constructor(options: ReportOptions, tally: Tally) {
    this.#options = options;
    this.#tally = tally;
  }

  on({ type, data }: TestEvent): string {
    if (type === 'test:pass') return this.#passed(data);
    if (type === 'test:summary') return this.#summary(data);
    if (type === 'test:fail') this.#failed(data);
    else if (type === 'test:stdout' || type === 'test:stderr') this.#keep(data.file ?? '', data.message);
    else if (type === 'test:diagnostic' && data.nesting === 0) this.#closing.push(`ℹ ${data.message}`);
    return '';
  }

  /** What a file that could not even be loaded printed is all there is to know about it. */
  close(): string {
    const { passed, failed, skipped } = this.#tally;
    if (failed > 0) for (const file of this.#printed.keys()) this.#tellPrinted(file);
    const blocks = [
      ...(this.#skips.length > 0 ? [['Skipped:', ...this.#skips].join('\n')] : []),
      ...this.#failures,
      [...this.#closing, `${passed} passed, ${failed} failed, ${skipped} skipped`].join('\n'),
    ];
    return `${blocks.map(block => `\n${block}`).join('\n')}\n`;
  }

  #passed(data: EventData.TestPass): string {
    if (data.name === data.file) this.#hadNoTest(data);
    else if (data.details.type === 'suite') return '';
    else if (data.skip !== undefined && data.skip !== false) this.#skipped(data);
    else if (this.#options.verbose) return `  ✔ ${data.name} (${took(data.details.duration_ms)})\n`;
    return '';
  }

  /** Only a file without tests passes as a test of its own. */
  #hadNoTest(data: EventData.TestPass): void {
    if (this.#options.chosen) return;
    this.#tally.failed += 1;
    this.#tally.passed -= 1;
    this.#fail(this.#at(data), 'has no test in it: give it one or remove it');
  }

  #skipped({ skip, name, ...data }: EventData.TestPass): void {
    this.#skips.push(`﹣ ${this.#at(data)} ${name}${skip === true ? '' : `: ${skip}`}`);
  }

  #failed(data: EventData.TestFail): void {
    const { error } = data.details;
    if (/subtests? failed$/.test(error.message)) return;
    this.#fail(`${this.#at(data)}${data.name === data.file ? '' : ` ${data.name}`}`, textOf(error.cause ?? error));
  }

  #summary({ counts, success, file, duration_ms }: EventData.TestSummary): string {
    if (file === undefined) {
      this.#tally.passed += counts.passed;
      this.#tally.failed += counts.tests - counts.passed - counts.skipped - counts.todo;
      this.#tally.skipped = counts.skipped + counts.todo;
      return '';
    }
    if (success) this.#printed.delete(file);
    if (counts.tests === 0) return '';
    return `${success ? '✔' : '✖'} ${this.#at({ file })} ${counts.tests} tests (${took(duration_ms)})\n`;
  }

  #keep(file: string, text: string): void {
    this.#printed.set(file, (this.#printed.get(file) ?? '') + text);
  }

  #tellPrinted(file: string): void {
    this.#fail(`${this.#at({ file })} printed`, this.#printed.get(file) ?? '');
  }

  #fail(what: string, why: string): void {
    this.#failures.push(`✖ ${what}\n${why.trimEnd().replaceAll(/^/gm, '    ')}`);
  }

  #at({ file = '', line }: Location): string {
    const path = file.replace(`${this.#options.root}/`, '');
    return line === undefined || line <= 1 ? path : `${path}:${line}`;
  }
}

const took = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);

/** The stack has the message, and an AssertionError's message the difference. */
function textOf(error: unknown): string {
  return error instanceof Error && error.stack !== undefined && error.cause === undefined
    ? error.stack
    : inspect(error, { depth: 4 });
}
