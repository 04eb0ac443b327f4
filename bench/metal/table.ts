// The bench's table as text.

import { HEAD, type Row } from './rows.ts';

export interface Table {
  readonly text: string;
  readonly failed: number;
}

export function tableOf(rows: readonly Row[]): Table {
  const lines = [HEAD, ...rows.map(row => [...padded(row.cells), verdictOf(row)])];
  const widths = HEAD.map((_, column) => Math.max(...lines.map(cells => cells[column]?.length ?? 0)));
  const shown = (cell: string, column: number): string =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  const text = lines.map(cells => cells.map(shown).join('  ').trimEnd()).join('\n');
  return { text, failed: rows.filter(row => verdictOf(row).startsWith('fail')).length };
}

const padded = (cells: readonly string[]): readonly string[] =>
  Array.from({ length: HEAD.length - 1 }, (_, column) => cells[column] ?? '');

function verdictOf({ asked }: Row): string {
  const failed = asked.filter(({ holds }) => !holds);
  if (failed.length > 0) return `fail: ${failed.map(({ what }) => what).join(', ')}`;
  return asked.length === 0 ? '' : 'pass';
}
