// The Pods of the bench: 1.2 KB each as they are sent, what a fleet's Pods look like.

import type { Request } from './connection.ts';

const NAMESPACE = 'bench';
const SIZE_BYTES = 1200;
export const PODS = `/api/v1/namespaces/${NAMESPACE}/pods`;

/** What must be there before the first Pod: no controller makes it. */
export const GROUND: readonly Request[] = [
  post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } }),
  post(`/api/v1/namespaces/${NAMESPACE}/serviceaccounts`, {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'default' },
  }),
];

function post(path: string, object: object): Request {
  return { method: 'POST', path, body: JSON.stringify(object) };
}

const nameOf = (n: number): string => `runner-${String(n).padStart(6, '0')}`;

export function create(n: number): Request {
  return { method: 'POST', path: PODS, body: podText(nameOf(n)) };
}

function podText(name: string): string {
  const bare = JSON.stringify(pod(name, ''));
  return JSON.stringify(pod(name, 'x'.repeat(Math.max(0, SIZE_BYTES - bare.length))));
}

function pod(name: string, filling: string): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: NAMESPACE,
      labels: { app: 'runner', 'runner.example.dev/pool': 'macos-15', 'runner.example.dev/size': 'large' },
      annotations: { 'runner.example.dev/job': filling },
    },
    spec: {
      restartPolicy: 'Never',
      serviceAccountName: 'default',
      automountServiceAccountToken: false,
      nodeSelector: { 'kubernetes.io/os': 'darwin' },
      tolerations: [{ key: 'example.dev/macos', operator: 'Exists', effect: 'NoSchedule' }],
      containers: [
        {
          name: 'runner',
          image: 'registry.example.dev/runners/macos-15:2026.11.1',
          command: ['/bin/sh', '-c', 'exec /opt/runner/run.sh'],
          env: [
            { name: 'RUNNER_NAME', value: name },
            { name: 'RUNNER_LABELS', value: 'macos-15,large' },
          ],
          resources: { limits: { cpu: '4', memory: '8Gi' }, requests: { cpu: '4', memory: '8Gi' } },
        },
      ],
    },
  };
}

export const get = (n: number): Request => ({ method: 'GET', path: `${PODS}/${nameOf(n)}` });

export const list = (limit: number): Request => ({ method: 'GET', path: `${PODS}?limit=${limit}` });

export const remove = (n: number): Request => ({ method: 'DELETE', path: `${PODS}/${nameOf(n)}?gracePeriodSeconds=0` });

/** `round` makes each patch another one: what changes nothing is no write. */
export function mergePatch(n: number, round: number): Request {
  const body = JSON.stringify({ metadata: { labels: { 'runner.example.dev/round': String(round) } } });
  return { method: 'PATCH', path: `${PODS}/${nameOf(n)}`, contentType: 'application/merge-patch+json', body };
}

export function statusPatch(n: number, round: number): Request {
  const lastTransitionTime = '2026-11-30T08:00:00Z';
  const ready = { type: 'Ready', status: round % 2 === 0 ? 'True' : 'False', lastTransitionTime };
  const body = JSON.stringify({ status: { phase: 'Running', message: `round ${round}`, conditions: [ready] } });
  return { method: 'PATCH', path: `${PODS}/${nameOf(n)}/status`, contentType: 'application/merge-patch+json', body };
}
