// Pods in the states that kubectl has a word for.

import type { JsonObject } from '../../src/apiserver/parts.ts';

export interface PodState {
  readonly spec: JsonObject;
  readonly status: JsonObject;
  readonly deleted?: true;
}

const one = { containers: [{ name: 'a', image: 'a' }] };
const two = {
  containers: [
    { name: 'a', image: 'a' },
    { name: 'b', image: 'b' },
  ],
};
const init = {
  ...one,
  initContainers: [
    { name: 'i', image: 'i' },
    { name: 'j', image: 'j' },
  ],
};
const sidecar = {
  ...one,
  initContainers: [
    { name: 's', image: 's', restartPolicy: 'Always' },
    { name: 'i', image: 'i' },
  ],
};

const status = (name: string, state: JsonObject, more: JsonObject = {}): JsonObject => ({
  name,
  image: name,
  imageID: '',
  ready: false,
  restartCount: 0,
  state,
  ...more,
});
const running = (name: string, more: JsonObject = {}): JsonObject =>
  status(name, { running: { startedAt: '2024-01-02T03:04:05Z' } }, { ready: true, ...more });
const ended = (name: string, terminated: JsonObject, more: JsonObject = {}): JsonObject =>
  status(name, { terminated }, more);
const waiting = (name: string, reason: string, more: JsonObject = {}): JsonObject =>
  status(name, { waiting: { reason } }, more);
const died = { lastState: { terminated: { exitCode: 1, finishedAt: '2024-01-02T03:04:05Z' } } };
const is = (type: string, value = 'True', more: JsonObject = {}): JsonObject => ({ type, status: value, ...more });

export const podStatuses: readonly PodState[] = [
  { spec: one, status: { phase: 'Pending', nominatedNodeName: 'mac-1' } },
  {
    spec: { ...two, nodeName: 'mac-0', readinessGates: [{ conditionType: 'x/y' }, { conditionType: 'x/z' }] },
    status: {
      phase: 'Running',
      podIPs: [{ ip: '10.1.2.3' }],
      conditions: [is('Ready'), is('x/y')],
      containerStatuses: [running('a', { restartCount: 3, ...died }), running('b', { restartCount: 1 })],
    },
  },
  {
    spec: one,
    status: { phase: 'Running', containerStatuses: [waiting('a', 'CrashLoopBackOff', { restartCount: 5 })] },
  },
  { spec: one, status: { phase: 'Succeeded', containerStatuses: [ended('a', { exitCode: 0, reason: 'Completed' })] } },
  { spec: one, status: { phase: 'Failed', containerStatuses: [ended('a', { exitCode: 2 })] } },
  { spec: one, status: { phase: 'Failed', containerStatuses: [ended('a', { exitCode: 137, signal: 9 })] } },
  { spec: one, status: { phase: 'Failed', reason: 'Evicted', message: 'full' } },
  {
    spec: two,
    status: {
      phase: 'Running',
      conditions: [is('Ready')],
      containerStatuses: [ended('a', { exitCode: 0, reason: 'Completed' }), running('b')],
    },
  },
  {
    spec: two,
    status: { phase: 'Running', containerStatuses: [ended('a', { exitCode: 0, reason: 'Completed' }), running('b')] },
  },
  {
    spec: two,
    status: {
      phase: 'Running',
      containerStatuses: [
        ended('a', { exitCode: 0, reason: 'Completed' }),
        ended('b', { exitCode: 1, reason: 'Error' }),
      ],
    },
  },
  { spec: init, status: { phase: 'Pending', initContainerStatuses: [waiting('i', 'PodInitializing')] } },
  {
    spec: init,
    status: {
      phase: 'Pending',
      initContainerStatuses: [ended('i', { exitCode: 0 }), waiting('j', 'ImagePullBackOff', { restartCount: 2 })],
      containerStatuses: [waiting('a', 'PodInitializing')],
    },
  },
  {
    spec: init,
    status: { phase: 'Failed', initContainerStatuses: [ended('i', { exitCode: 3 }, { restartCount: 1 })] },
  },
  { spec: init, status: { phase: 'Failed', initContainerStatuses: [ended('i', { exitCode: 3, signal: 15 })] } },
  {
    spec: init,
    status: {
      phase: 'Running',
      conditions: [is('Initialized')],
      initContainerStatuses: [waiting('i', 'CrashLoopBackOff')],
      containerStatuses: [running('a')],
    },
  },
  {
    spec: sidecar,
    status: {
      phase: 'Running',
      initContainerStatuses: [running('s', { started: true, restartCount: 2, ...died }), ended('i', { exitCode: 0 })],
      containerStatuses: [running('a')],
    },
  },
  { spec: one, status: { phase: 'Running', containerStatuses: [running('a')] }, deleted: true },
  { spec: one, status: { phase: 'Running', reason: 'NodeLost' }, deleted: true },
  { spec: one, status: { phase: 'Failed', reason: 'HostReleased' }, deleted: true },
];
