// The account of a fault matrix: calls, faults, runs, what is missing and what was violated.

import type { Life } from './life.ts';
import { CALL_FAULTS, type RunName } from './matrix.ts';
import type { Result } from './record.ts';
import type { Depth } from './sample.ts';

export class Table {
  readonly #expected: readonly RunName[];
  readonly #faultFree: Life;
  readonly #scenario: string;
  readonly #depth: Depth;
  readonly #done = new Set<RunName>();
  #seconds = 0;
  readonly #violated: { readonly name: RunName; readonly violations: readonly string[] }[] = [];

  constructor(expected: readonly RunName[], faultFree: Life, { scenario, depth }: { scenario: string; depth: Depth }) {
    this.#expected = expected;
    this.#faultFree = faultFree;
    this.#scenario = scenario;
    this.#depth = depth;
  }

  add(result: Pick<Result, 'name' | 'violations' | 'seconds'>): void {
    if (this.#done.has(result.name)) return;
    this.#done.add(result.name);
    this.#seconds += result.seconds;
    if (result.violations.length > 0) this.#violated.push(result);
    if (result.violations.length > 0) process.stdout.write(this.#again(result));
    if (this.#done.size === this.#expected.length) this.#printLine();
  }

  isClean(): boolean {
    return this.#violated.length === 0 && this.#done.size === this.#expected.length;
  }

  get runs(): number {
    return this.#done.size;
  }

  /** One line: what a scenario of many came to. */
  #printLine(): void {
    const { calls, events } = this.#faultFree;
    const counts = `${calls.length} calls, ${events.length} events: ${this.#done.size} runs`;
    const missing = this.#expected.length - this.#done.size;
    const end = `${missing} missing, ${this.#violated.length} with violations`;
    const seconds = `${this.#seconds.toFixed(0)} s of one processor`;
    process.stdout.write(`${this.#scenario.padEnd(34)} ${counts} (${this.#depth}), ${end}, ${seconds}\n`);
  }

  print(seconds: number): void {
    const rows = [
      ...this.#callRows(),
      ['watch events', String(this.#faultFree.events.length), 'dropped, doubled, late', this.#count('event:')],
      ['pairs of crashes', '-', 'crash-before twice', this.#count('pair:')],
      ['seeded swarms', '-', 'any', this.#count('swarm:')],
    ];
    process.stdout.write(
      `\n${this.#scenario}\n${aligned([['what', 'number', 'faults', this.#scenario === 'mac' ? 'runs (each twice)' : 'runs (one in eight twice)'], ...rows])}\n\n`,
    );
    const missing = this.#expected.length - this.#done.size;
    process.stdout.write(`${this.#done.size} runs in ${seconds.toFixed(0)} s, ${missing} missing, `);
    process.stdout.write(`${this.#violated.length} with violations\n`);
  }

  #again({ name, violations }: { readonly name: RunName; readonly violations: readonly string[] }): string {
    return `\n${violations.join('\n')}\n  again: npm run faults -- --scenario ${this.#scenario} --run ${name}\n`;
  }

  #callRows(): string[][] {
    return (['api', 'cloud', 'ssh', 'workload'] as const).flatMap(seam => {
      const numbers = this.#faultFree.calls.flatMap((call, n) => (call.includes(` ${seam} `) ? [n] : []));
      if (numbers.length === 0) return [];
      const runs = [...this.#done].filter(name => numbers.some(n => name.startsWith(`call:${n}:`))).length;
      return [[`${seam} calls`, String(numbers.length), CALL_FAULTS.map(([name]) => name).join(', '), String(runs)]];
    });
  }

  #count(prefix: string): string {
    return String([...this.#done].filter(name => name.startsWith(prefix)).length);
  }
}

function aligned(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)));
  return rows
    .map(row =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
