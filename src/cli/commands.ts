// Which commands `pippin` has. Each sits in its own file, which is loaded only when it is the one that was asked for.

import type { Command } from 'commander';

export interface CommandEntry {
  readonly name: string;
  /** One line for `pippin --help` and for the README's table. */
  readonly summary: string;
  /** The file's `command()` builds the parser with options and action; the summary above is put on it. */
  load(): Promise<{ command(): Command }>;
}

export const commands: readonly CommandEntry[] = [
  { name: 'up', summary: 'A whole fleet on this machine, with simulated Macs', load: () => import('./up.ts') },
  { name: 'apiserver', summary: 'The embedded Kubernetes API alone', load: () => import('./apiserver.ts') },
  { name: 'manager', summary: 'The controllers, against any Kubernetes API', load: () => import('./manager.ts') },
  { name: 'agent', summary: 'The node agent on a Mac', load: () => import('./agent.ts') },
  { name: 'metal', summary: 'Moves a Metal3 fleet over to Pippin', load: () => import('./metal.ts') },
];
