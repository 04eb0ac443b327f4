// The Node behind both servers: a simulated kubelet, and the objects that say where it is and that it lives.

import { type SimKubelet, simKubelet } from '../../../sim/kubelet/server.ts';
import type { Ground } from './ground.ts';
import { ask } from './wire.ts';

/** A Node whose kubelet reads WebSockets itself, and one for which the API server has to translate. */
export const NODE = 'sim-node';
export const OLDER_NODE = 'older-node';

const ROOM = { cpu: '8', memory: '16Gi', pods: '110' };
const RENEWED_EVERY_MS = 10_000;

export interface KubeletCertificate {
  readonly certificatePem: string;
  readonly privateKeyPem: string;
}

/** Starts the kubelet, and keeps its Nodes ready until it is disposed of. */
export async function kubeletBehind(ground: Ground, certificate: KubeletCertificate): Promise<AsyncDisposable> {
  const kubelet = await simKubelet({ ...certificate, clientAuthorityPem: ground.caPem });
  for (const name of [NODE, OLDER_NODE]) await makeNode(ground, name, kubelet);
  const beating = setInterval(() => void beat(ground).catch(() => undefined), RENEWED_EVERY_MS);
  beating.unref();
  return {
    [Symbol.asyncDispose]: async () => {
      clearInterval(beating);
      await kubelet[Symbol.asyncDispose]();
    },
  };
}

async function makeNode(ground: Ground, name: string, { port }: SimKubelet): Promise<void> {
  const body = {
    metadata: { name, labels: { 'kubernetes.io/hostname': name } },
    status: {
      capacity: ROOM,
      allocatable: ROOM,
      addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
      daemonEndpoints: { kubeletEndpoint: { Port: port } },
      conditions: [
        { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'kubelet is posting ready status' },
      ],
      ...(name === NODE ? { declaredFeatures: ['ExtendWebSocketsToKubelet'] } : {}),
    },
  };
  const { status, body: told } = await ask(ground, { method: 'POST', path: '/api/v1/nodes', body });
  if (status !== 201) throw new Error(`the Node ${name} could not be made: ${told.toString()}`);
  await beatOf(ground, name);
}

async function beat(ground: Ground): Promise<void> {
  for (const name of [NODE, OLDER_NODE]) await beatOf(ground, name);
}

/** Without it the node-lifecycle controller calls the Node dead. */
async function beatOf(ground: Ground, name: string): Promise<void> {
  const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';
  const spec = { holderIdentity: name, leaseDurationSeconds: 40, renewTime: now() };
  const patched = await ask(ground, {
    method: 'PATCH',
    path: `${leases}/${name}`,
    headers: { 'content-type': 'application/merge-patch+json' },
    body: { spec },
  });
  if (patched.status === 404) await ask(ground, { method: 'POST', path: leases, body: { metadata: { name }, spec } });
}

const now = (): string => new Date().toISOString().replace('Z', '000Z');
