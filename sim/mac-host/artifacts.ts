// Bundles for simulated Macs: of the shape of the real ones, with launchers of programs of this machine in them.

import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Artifact, Artifacts } from '../../src/mac/artifacts.ts';

/** What a simulated Mac runs as tart and as the agent: an absolute command and its first arguments. */
export interface SimPrograms {
  readonly tart: readonly string[];
  readonly agent: readonly string[];
}

/** Flags for the agent of one Mac alone, one a line: its environment has them (hosts.ts, `environmentOf`). */
export const AGENT_FLAGS = 'PIPPIN_SIM_AGENT_FLAGS';

export function simulatedArtifacts({ tart, agent }: SimPrograms): Artifacts {
  return {
    tart: bundle('tart.app/Contents/MacOS/tart', `#!/bin/sh\nexec ${tart.map(quote).join(' ')} "$@"\n`),
    agent: bundle('agent', `#!/bin/sh\nIFS='\n'\nexec ${agent.map(quote).join(' ')} "$@" $${AGENT_FLAGS}\n`),
  };
}

function bundle(path: string, launcher: string): Artifact {
  const bytes = gzipSync(tarOf(path, Buffer.from(launcher)));
  return {
    digest: createHash('sha256').update(bytes).digest('hex').slice(0, 16),
    bytes: () => Promise.resolve(bytes),
  };
}

const BLOCK = 512;

/** A tar (ustar) of one executable file. */
function tarOf(path: string, content: Buffer): Buffer {
  const header = Buffer.alloc(BLOCK);
  header.write(path, 0, 100);
  header.write('0000755\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
  header.write('00000000000\0', 136);
  header.write('        ', 148);
  header.write('0', 156);
  header.write('ustar\x0000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  const padding = Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK);
  return Buffer.concat([header, content, padding, Buffer.alloc(2 * BLOCK)]);
}

const quote = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
