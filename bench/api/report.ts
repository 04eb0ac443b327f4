// The bench's table: a line per row, its ratio and its verdict.

import { type Figure, type Row, ratioOf, verdictOf } from './rows.ts';

const HEAD = ['', 'pippin', 'apiserver+etcd', 'ratio', 'target', '', 'client', 'server µs/op', 'note'];

export interface Report {
  readonly text: string;
  readonly failed: number;
}

export function tableOf(rows: readonly Row[]): Report {
  const lines = [HEAD, ...rows.map(cellsOf)];
  const widths = HEAD.map((_, column) => Math.max(...lines.map(cells => cells[column]?.length ?? 0)));
  const text = lines
    .map(cells =>
      cells.map((cell, column) => (column === 0 ? cell.padEnd(at(widths, column)) : cell.padStart(at(widths, column)))),
    )
    .map(cells => cells.join('  ').trimEnd())
    .join('\n');
  // A row that says nothing proves nothing.
  return { text, failed: rows.filter(row => ['fail', 'void'].includes(verdictOf(row))).length };
}

const at = (widths: readonly number[], column: number): number => widths[column] ?? 0;

function cellsOf(row: Row): readonly string[] {
  const ratio = ratioOf(row);
  return [
    row.name,
    `${shown(row.ours.value)} ${row.unit}`,
    row.theirs === undefined ? '' : `${shown(row.theirs.value)} ${row.unit}`,
    ratio === undefined ? '' : `${ratio.toFixed(1)}x`,
    targetOf(row),
    verdictOf(row),
    both(row, figure => (figure.clientShare === undefined ? '' : `${Math.round(figure.clientShare * 100)}%`)),
    both(row, figure => (figure.serverMicros === undefined ? '' : shown(figure.serverMicros))),
    both(row, figure => figure.note ?? ''),
  ];
}

function targetOf({ target, atMost, unit }: Row): string {
  if (atMost !== undefined) return `<= ${shown(atMost)} ${unit}`;
  return target === undefined ? '' : `${target.times}x`;
}

function both({ ours, theirs }: Row, cell: (figure: Figure) => string): string {
  const cells = [cell(ours), ...(theirs === undefined ? [] : [cell(theirs)])];
  return cells.every(text => text === '') ? '' : cells.join(' / ');
}

const shown = (value: number): string => (value >= 100 ? String(Math.round(value)) : value.toPrecision(3));
