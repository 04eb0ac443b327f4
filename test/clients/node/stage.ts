// What an act of the JavaScript client plays on: its API objects, a namespace of its own, and a place for what it says.

import { setTimeout as sleep } from 'node:timers/promises';
import { ApiException, CoreV1Api, KubeConfig, type V1Pod } from '@kubernetes/client-node';
import type { Side } from '../frame/sides.ts';

const WAIT_MS = 20_000;

export interface Stage {
  readonly side: Side;
  readonly config: KubeConfig;
  readonly core: CoreV1Api;
  readonly namespace: string;
  say(text: string): void;
}

export async function opened(side: Side, namespace: string, say: Stage['say']): Promise<Stage> {
  const config = new KubeConfig();
  config.loadFromFile(side.kubeconfig);
  const core = config.makeApiClient(CoreV1Api);
  await core.createNamespace({ body: { metadata: { name: namespace } } });
  await until(() =>
    core.readNamespacedServiceAccount({ namespace, name: 'default' }).then(
      () => true,
      () => false,
    ),
  );
  return { side, config, core, namespace, say };
}

export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + WAIT_MS;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error('it did not come to pass');
    await sleep(20);
  }
}

/** What the client says of a request that was refused: its code, and the Status in the body. */
export async function refusal(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'not refused';
  } catch (error) {
    if (!(error instanceof ApiException)) throw error;
    return `${error.code} ${error.body}`;
  }
}

/** A Pod that a kubelet says is running. */
export async function runningPod({ core, namespace }: Stage, name: string): Promise<V1Pod> {
  const spec = { nodeName: 'sim-node', containers: [{ name: 'main', image: 'main:1' }] };
  const pod = await core.createNamespacedPod({ namespace, body: { metadata: { name }, spec } });
  const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
  return core.replaceNamespacedPodStatus({ namespace, name, body: { ...pod, status } });
}
