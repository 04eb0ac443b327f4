// The two servers that a foreign client is tried on: the embedded API and a real control plane, each with a kubeconfig.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedGround } from '../../conformance/frame/embedded-ground.ts';
import type { OwnGround } from '../../conformance/frame/ground.ts';
import { realGround } from '../../conformance/frame/real-ground.ts';
import { kubeconfigOf } from '../../kube/kubeconfig.ts';

export interface Side {
  readonly name: 'real' | 'embedded';
  readonly ground: OwnGround;
  /** Of the administrator. */
  readonly kubeconfig: string;
  /** For the client's own files; gone with the side. */
  readonly folder: string;
}

export interface Sides extends AsyncDisposable {
  readonly real: Side;
  readonly embedded: Side;
}

export async function bothSides(): Promise<Sides> {
  const real = await sideOn('real', await realGround());
  const embedded = await sideOn('embedded', await embeddedGround());
  return {
    real,
    embedded,
    [Symbol.asyncDispose]: async () => {
      for (const { ground, folder } of [real, embedded]) {
        await ground[Symbol.asyncDispose]();
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}

async function sideOn(name: Side['name'], ground: OwnGround): Promise<Side> {
  const folder = mkdtempSync(join(tmpdir(), `pippin-clients-${name}-`));
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, kubeconfigOf(ground.url, ground.caPem, ground.adminToken), { mode: 0o600 });
  return { name, ground, kubeconfig, folder };
}
