// What tart prints for people and programs: Foundation's JSON, with its spaces, escaped slashes and restless key order.

import type { SimVm, TartHost } from './model.ts';

type Value = string | number | boolean;
export type Row = Readonly<Record<string, Value>>;

/** Rows of `list`: local ones first, then OCI, each sorted by name; every cached tag yields two. */
export function listRows(host: TartHost, source: 'local' | 'oci' | undefined): readonly Row[] {
  const { store } = host;
  const local = store.vmNames().map(name => ({ name, vm: store.vm(name) }));
  const digests = store.imageIds().map(name => ({ name, vm: store.image(name)?.vm }));
  const tags = [...store.tags()].map(([name, id]) => ({ name, vm: store.image(id)?.vm }));
  return [
    ...(source === 'oci' ? [] : rowsOf(host, 'local', local)),
    ...(source === 'local' ? [] : rowsOf(host, 'OCI', [...digests, ...tags])),
  ];
}

function rowsOf(host: TartHost, source: string, entries: readonly { name: string; vm: SimVm | undefined }[]): Row[] {
  return entries
    .filter((entry): entry is { name: string; vm: SimVm } => entry.vm !== undefined)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, vm }) => ({
      Source: source,
      Name: name,
      Disk: vm.diskGb,
      Size: Math.round(vm.sharedGb + vm.ownGb),
      Accessed: `${new Date(vm.accessedMs).toISOString().slice(0, 19)}Z`,
      Running: source === 'local' && host.holderOf(name) !== undefined,
      State: stateOf(host, name, vm),
    }));
}

/** `get`: no name, and the size as text. */
export function getRow(host: TartHost, name: string, vm: SimVm): Row {
  return {
    OS: vm.os,
    CPU: vm.cpu,
    Memory: vm.memoryMb,
    Disk: vm.diskGb,
    DiskFormat: 'raw',
    Size: (vm.sharedGb + vm.ownGb).toFixed(3),
    Display: '1024x768',
    Running: host.holderOf(name) !== undefined,
    State: stateOf(host, name, vm),
  };
}

function stateOf(host: TartHost, name: string, vm: SimVm): string {
  if (host.holderOf(name) !== undefined) return 'running';
  return vm.suspended ? 'suspended' : 'stopped';
}

/** One object. `order` is how this process happens to order keys: Foundation's changes from process to process. */
export function json(row: Row, order: number): string {
  return object(row, order, '');
}

/** A list of objects; an empty one has a line to itself. */
export function jsonList(rows: readonly Row[], order: number): string {
  if (rows.length === 0) return '[\n\n]';
  return `[\n${rows.map(row => `  ${object(row, order, '  ')}`).join(',\n')}\n]`;
}

function object(row: Row, order: number, indent: string): string {
  const keys = Object.keys(row);
  const turned = keys.map((_, i) => keys[(i + order) % keys.length] ?? '');
  const fields = turned.map(key => `${indent}  "${key}" : ${value(row[key] ?? '')}`);
  return `{\n${fields.join(',\n')}\n${indent}}`;
}

const value = (of: Value): string => (typeof of === 'string' ? JSON.stringify(of).replaceAll('/', '\\/') : String(of));

/** The table for people: `Running` hidden; nothing at all is one blank line. */
export function textTable(rows: readonly Row[]): string {
  const columns = Object.keys(rows[0] ?? {}).filter(key => key !== 'Running');
  const lines = [columns, ...rows.map(row => columns.map(column => String(row[column])))];
  return `${lines
    .map(line =>
      line
        .map(cell => cell.padEnd(12))
        .join(' ')
        .trimEnd(),
    )
    .join('\n')}\n`;
}
