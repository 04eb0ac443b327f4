// Reads what `tart list` and `tart get` print as JSON. Fields come and go between versions: only the name must be there.

import type { ImageListing, Inventory, VmListing } from '../../agent/vm-runtime.ts';

/** Undefined when it is no list at all: unknown is not empty. */
export function parseList(text: string): Inventory | undefined {
  const rows = parse(text);
  if (!Array.isArray(rows)) return undefined;

  const vms: VmListing[] = [];
  const images: ImageListing[] = [];
  for (const row of rows) {
    if (!isRecord(row) || typeof row.Name !== 'string') return undefined;
    const entry = { name: row.Name, sizeBytes: gigabytes(row.Size), ...accessed(row.Accessed) };
    if (String(row.Source).toLowerCase() === 'local') vms.push(entry);
    else images.push(entry);
  }
  return { vms, images };
}

/** The size that `get` tells; undefined when the answer is no object. */
export function parseSize(text: string): number | undefined {
  const row = parse(text);
  return isRecord(row) ? gigabytes(row.Size) : undefined;
}

/** An integer in `list`, a decimal in quotes in `get`; garbage counts as nothing (agent-48). */
function gigabytes(size: unknown): number {
  const gb = typeof size === 'number' ? size : Number.parseFloat(String(size));
  return Number.isFinite(gb) && gb >= 0 ? Math.round(gb * 1e9) : 0;
}

function accessed(time: unknown): { accessedMs?: number } {
  const ms = typeof time === 'string' ? Date.parse(time) : Number.NaN;
  return Number.isFinite(ms) ? { accessedMs: ms } : {};
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
