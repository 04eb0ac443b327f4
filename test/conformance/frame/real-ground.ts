// The real control plane as a ground: default admission plugins, a kubelet client certificate, and few controllers.

import { readFileSync } from 'node:fs';
import { startRealKube } from '../../kube/real.ts';
import { compactEtcd } from './compaction.ts';
import type { Ground, OwnGround } from './ground.ts';
import { kubeletBehind } from './kubelet.ts';
import { hangUp } from './wire.ts';
import { workloads } from './workloads.ts';

export async function realGround(): Promise<OwnGround & { readonly etcdUrl: string }> {
  const behind = await workloads();
  const kube = await startRealKube({ httpProxy: behind.url });
  const { url, caPem, adminToken, authority, etcdUrl } = kube;
  const forget = (): Promise<void> => compactEtcd(etcdUrl);
  const ground = { url, caPem, adminToken, authority, etcdUrl, prefix: '', forget };
  const { certificate: certificatePem, key: privateKeyPem } = await authority.server('system:node:sim-node');
  const kubelet = await kubeletBehind(ground, { certificatePem, privateKeyPem });
  return Object.assign(ground, {
    [Symbol.asyncDispose]: async () => {
      await kubelet[Symbol.asyncDispose]();
      hangUp(ground);
      await kube.stop();
      await behind[Symbol.asyncDispose]();
    },
  });
}

/** A ground that `serve-real.ts` keeps up; each run on it has a prefix of its own. */
export function sharedGround(file: string): Ground {
  const { etcdUrl, ...shared } = JSON.parse(readFileSync(file, 'utf8')) as Ground & { etcdUrl: string };
  const prefix = `x${Math.random().toString(36).slice(2, 7)}x-`;
  return { ...shared, prefix, forget: () => compactEtcd(etcdUrl) };
}
