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
  const lines = reportLines(options, tally);
  for await (const event of events) yield* lines.on(event);
  yield* lines.close();
}

interface Location {
  readonly file?: string;
  readonly line?: number;
}

function reportLines({ root, verbose, chosen }: ReportOptions, tally: Tally) {
  const output = new Map<string, string>();
  const failures: string[] = [];
  const skips: string[] = [];
  const closing: string[] = [];
  const summarized = new Set<string>();

  const at = ({ file = '', line }: Location): string => {
    const path = file.replace(`${root}/`, '');
    return line === undefined || line <= 1 ? path : `${path}:${line}`;
  };
  const keep = (file: string | undefined, text: string): void => {
    output.set(file ?? '', (output.get(file ?? '') ?? '') + text);
  };
  const fail = (what: string, why: string): void => {
    failures.push(`\n✖ ${what}\n${indented(why)}`);
  };

  function* passed(data: EventData.TestPass): Generator<string> {
    if (data.name === data.file) fileEnded(data);
    else if (data.details.type === 'suite') return;
    else if (data.skip !== undefined && data.skip !== false) skipped(data);
    else if (verbose) yield `  ✔ ${data.name} (${took(data.details.duration_ms)})\n`;
  }

  /** Only a file without tests passes as a test of its own. */
  function fileEnded(data: EventData.TestPass): void {
    if (chosen) return;
    tally.failed += 1;
    tally.passed -= 1;
    fail(at(data), 'has no test in it: give it one or remove it');
  }

  function skipped({ skip, name, ...data }: EventData.TestPass): void {
    skips.push(`﹣ ${at(data)} ${name}${skip === true ? '' : `: ${skip}`}`);
  }

  function failed(data: EventData.TestFail): void {
    const cause = data.details.error.cause ?? data.details.error;
    const ofChildren = /subtests? failed$/.test(data.details.error.message);
    if (!ofChildren) fail(`${at(data)} ${data.name === data.file ? '' : data.name}`, textOf(cause));
  }

  function* summary(data: EventData.TestSummary): Generator<string> {
    const { counts, success, file } = data;
    if (file === undefined) {
      tally.passed += counts.passed;
      tally.failed += counts.tests - counts.passed - counts.skipped - counts.todo;
      tally.skipped = counts.skipped + counts.todo;
      return;
    }
    summarized.add(file);
    if (counts.tests === 0) return;
    yield `${success ? '✔' : '✖'} ${at({ file })} ${counts.tests} tests (${took(data.duration_ms)})\n`;
    if (!success && output.has(file)) fail(`${at({ file })} printed`, output.get(file) ?? '');
    output.delete(file);
  }

  function* on({ type, data }: TestEvent): Generator<string> {
    if (type === 'test:pass') yield* passed(data);
    else if (type === 'test:fail') failed(data);
    else if (type === 'test:summary') yield* summary(data);
    else if (type === 'test:stdout' || type === 'test:stderr') keep(data.file, data.message);
    else if (type === 'test:diagnostic' && data.nesting === 0) closing.push(`ℹ ${data.message}`);
  }

  function* close(): Generator<string> {
    if (skips.length > 0) yield `\nSkipped:\n${skips.join('\n')}\n`;
    for (const [file, text] of output) if (!summarized.has(file)) fail(`${at({ file })} printed`, text);
    if (tally.failed > 0) yield `${failures.join('\n')}\n`;
    yield `\n${closing.join('\n')}\n${tally.passed} passed, ${tally.failed} failed, ${tally.skipped} skipped\n`;
  }

  return { on, close };
}

const took = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);

const indented = (text: string): string => text.trimEnd().replaceAll(/^/gm, '    ');

/** The stack has the message, and an AssertionError's message the difference. */
function textOf(error: unknown): string {
  return error instanceof Error && error.stack !== undefined && error.cause === undefined
    ? error.stack
    : inspect(error, { depth: 4 });
}
