// A container's environment, as its guest reads it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { environmentFile, type ReadData, resolveEnvironment } from './environment.ts';
import { aPod, aSpec, UID } from './pod.testing.ts';
import { vmSize } from './size.ts';

const DATA: Readonly<Record<string, Record<string, string>>> = {
  'Secret s': { A: 'secret', B: 'b' },
  'ConfigMap c': { A: 'config' },
};
const read: ReadData = async (kind, name) => DATA[`${kind} ${name}`];

async function resolved(container: Parameters<typeof aSpec>[0]): Promise<Record<string, string>> {
  const pod = aPod({}, { spec: aSpec(container, { nodeName: 'mac-0' }) });
  const [first] = pod.spec.containers;
  if (first === undefined) throw new Error('no container');
  return Object.fromEntries(await resolveEnvironment(pod, first, read));
}

test('what comes later wins: envFrom in order, then env', async () => {
  const environment = await resolved({
    envFrom: [
      { configMapRef: { name: 'c' } },
      { secretRef: { name: 's' } },
      { prefix: 'P_', configMapRef: { name: 'c' } },
    ],
    env: [{ name: 'B', value: 'own' }],
  });

  assert.deepEqual(environment, { A: 'secret', B: 'own', P_A: 'config' });
});

test('fields of the Pod are resolved, unknown ones and resources left out', async () => {
  const field = (name: string, fieldPath: string) => ({ name, valueFrom: { fieldRef: { fieldPath } } });
  const env = [
    field('NAME', 'metadata.name'),
    field('UID', 'metadata.uid'),
    field('NODE', 'spec.nodeName'),
    field('X', 'status.podIP'),
  ];

  assert.deepEqual(await resolved({ env: [...env, { name: 'CPU', valueFrom: { resourceFieldRef: {} } }] }), {
    NAME: 'web',
    UID,
    NODE: 'mac-0',
  });
});

test('a miss that is optional is left out; one that is required fails and names the key, never a value', async () => {
  const optional = { name: 'A', valueFrom: { secretKeyRef: { name: 's', key: 'none', optional: true } } };
  const required = { name: 'A', valueFrom: { secretKeyRef: { name: 's', key: 'none' } } };

  assert.deepEqual(await resolved({ env: [optional], envFrom: [{ secretRef: { name: 'gone', optional: true } }] }), {});
  await assert.rejects(resolved({ env: [required] }), /A refers to key none of Secret s, which is not there/);
});

test('a line break in a value cannot become a second variable (agent-24)', () => {
  assert.equal(environmentFile(new Map([['A', 'x\r\nB=evil']])), 'A=x\\r\\nB=evil\n');
});

test('a VM is as large as its limits, else its requests, rounded down (agent-26)', () => {
  const size = (limits: Record<string, string>, requests: Record<string, string> = {}) =>
    vmSize({ name: 'vm', image: 'i', resources: { limits, requests } });

  assert.deepEqual(size({ cpu: '3900m', memory: '8Gi' }, { cpu: '1' }), { cpu: 3, memoryMb: 8192 });
  assert.deepEqual(size({}, { cpu: '2', memory: '4G' }), { cpu: 2, memoryMb: 3814 });
  assert.deepEqual(size({ cpu: '900m' }), {});
});
