// Where a person who moves a fleet stands: a folder with the two kubeconfigs, and a shell with clusterctl and kubectl. Any run can be killed after a write.

import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { clientPath } from '../../../scripts/clients/programs.ts';
import { binaryPath } from '../../../scripts/kube/binaries.ts';
import type { Management } from './management.ts';
import type { Write } from './way.ts';

export interface Run {
  /** Of the shell, or the signal that ended it, or 'late': it took too long. */
  readonly code: number | string;
  readonly said: string;
  /** In the order in which they were carried out, the one after which it was killed among them. */
  readonly writes: readonly string[];
}

/** Asked after each write; true: now it is killed, before it hears the answer. */
export type When = (write: Write, on: 'source' | 'target') => boolean;

export interface Shell {
  run(lines: string, killWhen?: When): Promise<Run>;
}

const DEADLINE_MS = 300_000;

export function shellBetween(source: Management, target: Management, folder: string): Shell {
  const home = mkdtempSync(join(folder, 'shell-'));
  const bin = join(home, 'bin');
  mkdirSync(bin);
  symlinkSync(clientPath('clusterctl'), join(bin, 'clusterctl'));
  symlinkSync(binaryPath('kubectl'), join(bin, 'kubectl'));
  symlinkSync(source.clusterctlsKubeconfig, join(home, 'source.kubeconfig'));
  symlinkSync(target.clusterctlsKubeconfig, join(home, 'target.kubeconfig'));
  // Else it asks the network for a newer version of itself.
  const env = { PATH: `${bin}:/usr/bin:/bin`, HOME: home, CLUSTERCTL_DISABLE_VERSIONCHECK: 'true' };
  return { run: (lines, killWhen) => run(lines, { cwd: home, env, source, target, killWhen: killWhen ?? never }) };
}

const never: When = () => false;

interface Surroundings {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly source: Management;
  readonly target: Management;
  readonly killWhen: When;
}

function run(lines: string, { cwd, env, source, target, killWhen }: Surroundings): Promise<Run> {
  return new Promise((resolve, reject) => {
    // A group of its own: what the shell started ends with it.
    const child = spawn('/bin/sh', ['-ec', lines], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const endAll = (): void => {
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
        process.kill(-child.pid, 'SIGKILL');
    };
    let isLate = false;
    const deadline = setTimeout(() => {
      isLate = true;
      endAll();
    }, DEADLINE_MS);
    process.once('exit', endAll);
    const writes: string[] = [];
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (said += part.toString()));
    const sides = [
      ['source', source.clusterctlsWay],
      ['target', target.clusterctlsWay],
    ] as const;
    for (const [on, way] of sides) {
      way.onWritten = write => {
        writes.push(`${write.method} ${resourceOf(write.path)} on the ${on}`);
        if (!killWhen(write, on)) return false;
        endAll();
        return true;
      };
    }
    child.once('error', reject);
    child.once('close', (code, signal) => {
      clearTimeout(deadline);
      process.removeListener('exit', endAll);
      for (const [, way] of sides) way.onWritten = () => false;
      // A kill that nobody asked for is told from one after a write.
      resolve({ code: isLate ? 'late' : (code ?? signal ?? 'unknown'), said, writes });
    });
  });
}

/** `metal3machines` of `/apis/GROUP/VERSION/namespaces/NS/metal3machines/NAME?QUERY`. */
export function resourceOf(path: string): string {
  const [bare = ''] = path.split('?');
  const parts = bare.split('/').slice(bare.startsWith('/api/') ? 3 : 4);
  return (parts[0] === 'namespaces' && parts.length > 2 ? parts[2] : parts[0]) ?? '';
}
