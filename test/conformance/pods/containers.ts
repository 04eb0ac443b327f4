// What containers run, ask for, are asked, and see of volumes.

import type { Case } from '../frame/case.ts';
import { init, main, odd } from './odd.ts';

const probe = (more: object): object => main({ livenessProbe: more });
const hook = (preStop: object): object => main({ lifecycle: { preStop } });
const mount = (...volumeMounts: object[]): object => ({
  volumes: [
    { name: 'v', emptyDir: {} },
    { name: 'c', persistentVolumeClaim: { claimName: 'c' } },
  ],
  ...main({ volumeMounts }),
});
const device = (...volumeDevices: object[]): object => ({ ...mount(), ...main({ volumeDevices }) });
const exits = { operator: 'In', values: [1] };
const env = (...vars: object[]): object => main({ env: vars });
const from = (valueFrom: object): object => env({ name: 'A', valueFrom });

export const containers: readonly Case[] = [
  odd(
    'probes have one handler, and times that are possible',
    ['none', probe({})],
    ['two', probe({ exec: { command: ['a'] }, tcpSocket: { port: 1 } })],
    ['no command', probe({ exec: {} })],
    ['no port', probe({ httpGet: { path: '/' } })],
    ['bad port', probe({ tcpSocket: { port: 70000 } })],
    ['bad name of a port', probe({ tcpSocket: { port: 'A_b-' } })],
    ['grpc', probe({ grpc: { port: 0 } })],
    ['scheme', probe({ httpGet: { port: 1, scheme: 'x' } })],
    [
      'header',
      probe({
        httpGet: {
          port: 1,
          httpHeaders: [
            { name: 'a b', value: 'c' },
            { name: '', value: '' },
          ],
        },
      }),
    ],
    [
      'below zero',
      probe({
        exec: { command: ['a'] },
        initialDelaySeconds: -1,
        timeoutSeconds: -1,
        periodSeconds: -1,
        successThreshold: -1,
        failureThreshold: -1,
      }),
    ],
    ['succeeds twice', probe({ exec: { command: ['a'] }, successThreshold: 2 })],
    ['patience', probe({ exec: { command: ['a'] }, terminationGracePeriodSeconds: 0 })],
    [
      'patience of readiness',
      main({ readinessProbe: { exec: { command: ['a'] }, terminationGracePeriodSeconds: 5, successThreshold: 2 } }),
    ],
    ['startup', main({ startupProbe: { exec: { command: ['a'] }, successThreshold: 2 } })],
  ),
  odd(
    'hooks have one handler',
    ['none', hook({})],
    ['two', hook({ exec: { command: ['a'] }, sleep: { seconds: 1 } })],
    ['no command', hook({ exec: {} })],
    ['sleep of nothing', hook({ sleep: { seconds: 0 } })],
    ['sleep too long', hook({ sleep: { seconds: 31 } })],
    ['sleep below zero', main({ lifecycle: { postStart: { sleep: { seconds: -1 } } } })],
    ['port', hook({ httpGet: { port: 'x_y', path: '' } })],
    ['signal without a system', main({ lifecycle: { stopSignal: 'SIGTERM' } })],
    ['unknown signal', { os: { name: 'linux' }, ...main({ lifecycle: { stopSignal: 'x' } }) }],
    ['signal of Windows', { os: { name: 'windows' }, ...main({ lifecycle: { stopSignal: 'SIGHUP' } }) }],
  ),
  odd(
    'containers have names, images and policies',
    ['nothing', { containers: [{}] }],
    ['none', { containers: [] }],
    ['padded image', main({ image: ' a ' })],
    ['space for an image', main({ image: ' ' })],
    ['message', main({ terminationMessagePolicy: 'x' })],
    ['pull', main({ imagePullPolicy: 'x' })],
    ['twice', { containers: ['a', 'a'].map(name => ({ name, image: 'i' })) }],
    ['as the init container', { ...main({}), initContainers: [{ name: 'main', image: 'i' }] }],
    [
      'resize',
      main({
        resizePolicy: [
          { resourceName: 'cpu', restartPolicy: 'x' },
          { resourceName: 'gpu', restartPolicy: 'NotRequired' },
          { resourceName: 'cpu', restartPolicy: 'NotRequired' },
        ],
      }),
    ],
    ['resize of nothing', main({ resizePolicy: [{}] })],
    [
      'resize of what never restarts',
      {
        restartPolicy: 'Never',
        ...main({ resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] }),
      },
    ],
    ['sound resize', main({ resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] })],
  ),
  odd(
    'rules of restarting make sense',
    ['without a policy', main({ restartPolicyRules: [{ action: 'Restart', exitCodes: exits }] })],
    ['unknown policy', main({ restartPolicy: 'x' })],
    ['unknown action', main({ restartPolicy: 'Never', restartPolicyRules: [{ action: 'x', exitCodes: exits }] })],
    ['no codes', main({ restartPolicy: 'Never', restartPolicyRules: [{ action: 'Restart' }] })],
    [
      'unknown operator',
      main({
        restartPolicy: 'Never',
        restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'x', values: [] } }],
      }),
    ],
    [
      'too many',
      main({
        restartPolicy: 'Never',
        restartPolicyRules: Array.from({ length: 21 }, () => ({ action: 'Restart', exitCodes: exits })),
      }),
    ],
    ['sound', main({ restartPolicy: 'OnFailure', restartPolicyRules: [{ action: 'Restart', exitCodes: exits }] })],
    ['of an init container', init({ restartPolicyRules: [{ action: 'Restart', exitCodes: exits }] })],
    ['of a sidecar', init({ restartPolicy: 'Always', restartPolicyRules: [{ action: 'Restart', exitCodes: exits }] })],
    ['unknown of an init container', init({ restartPolicy: 'x' })],
  ),
  odd(
    'init containers that end have no probes and no hooks',
    ['hook', init({ lifecycle: { preStop: { exec: { command: ['a'] } } } })],
    ['probes', init({ livenessProbe: {}, readinessProbe: {}, startupProbe: {} })],
    ['resize', init({ resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] })],
    ['of a sidecar', init({ restartPolicy: 'Always', lifecycle: { preStop: {} }, livenessProbe: { exec: {} } })],
    [
      'host ports',
      init({
        ports: [
          { containerPort: 1, hostPort: 1 },
          { containerPort: 2, hostPort: 1 },
        ],
      }),
    ],
  ),
  odd(
    'debug containers are not born with a Pod',
    ['one', { ephemeralContainers: [{ name: 'e', image: 'i' }] }],
    [
      'a bad one',
      {
        ephemeralContainers: [
          {
            name: 'main',
            image: ' i',
            targetContainerName: 'x',
            ports: [{ containerPort: 1 }],
            lifecycle: {},
            volumeMounts: [{ name: 'v', mountPath: '/a', subPath: 'b' }],
          },
        ],
      },
    ],
  ),
  odd(
    'mounts are of volumes that are there, in places of their own',
    ['nothing', mount({})],
    ['other', mount({ name: 'x', mountPath: '/a' })],
    ['twice', mount({ name: 'v', mountPath: '/a' }, { name: 'v', mountPath: '/a' })],
    ['paths in it', mount({ name: 'v', mountPath: '/a', subPath: '/b/../c', subPathExpr: '..' })],
    ['propagation', mount({ name: 'v', mountPath: '/a', mountPropagation: 'x' })],
    ['both ways', mount({ name: 'v', mountPath: '/a', mountPropagation: 'Bidirectional' })],
    ['read only', mount({ name: 'v', mountPath: '/a', recursiveReadOnly: 'Enabled' })],
    ['unknown read only', mount({ name: 'v', mountPath: '/a', recursiveReadOnly: 'x' })],
    [
      'read only and propagated',
      mount({
        name: 'v',
        mountPath: '/a',
        readOnly: true,
        recursiveReadOnly: 'IfPossible',
        mountPropagation: 'HostToContainer',
      }),
    ],
    ['device of a folder', device({ name: 'v', devicePath: '/a' })],
    ['device of nothing', device({ name: 'x', devicePath: '' })],
    ['device twice', device({ name: 'c', devicePath: '/a/../b' }, { name: 'c', devicePath: '/b' })],
    [
      'device and mount',
      {
        ...mount(),
        ...main({ volumeMounts: [{ name: 'c', mountPath: '/a' }], volumeDevices: [{ name: 'c', devicePath: '/a' }] }),
      },
    ],
    ['device of its own users', { hostUsers: false, ...device({ name: 'c', devicePath: '/a' }) }],
  ),
  odd(
    'variables have names and one source',
    ['no name', env({ value: 'a' })],
    ['name', env({ name: 'a=b', value: 'c' }, { name: 'ä', value: 'd' })],
    ['no source', from({})],
    ['two sources', from({ fieldRef: { fieldPath: 'metadata.name' }, secretKeyRef: { name: 'a', key: 'b' } })],
    ['value too', env({ name: 'A', value: 'b', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } })],
    ['field', from({ fieldRef: { fieldPath: 'spec.x' } })],
    ['field that volumes know', from({ fieldRef: { fieldPath: 'metadata.labels' } })],
    ['subscript', from({ fieldRef: { fieldPath: "metadata.labels['a b']" } })],
    ['subscript of another', from({ fieldRef: { fieldPath: "metadata.name['a']" } })],
    ['version', from({ fieldRef: { fieldPath: 'metadata.name', apiVersion: 'v2' } })],
    ['empty field', from({ fieldRef: { fieldPath: '' } })],
    ['resource', from({ resourceFieldRef: { resource: 'limits.gpu' } })],
    ['no resource', from({ resourceFieldRef: { resource: '' } })],
    ['divisor', from({ resourceFieldRef: { resource: 'limits.cpu', divisor: '2' } })],
    ['divisor of memory', from({ resourceFieldRef: { resource: 'requests.memory', divisor: '1m' } })],
    ['huge pages', from({ resourceFieldRef: { resource: 'limits.hugepages-2Mi', divisor: '3' } })],
    ['key', from({ configMapKeyRef: { name: 'A_b', key: 'c d' } })],
    ['no key', from({ secretKeyRef: { name: '', key: '' } })],
    [
      'whole',
      main({
        envFrom: [
          {},
          { configMapRef: { name: 'A_b' }, prefix: 'a=' },
          { configMapRef: { name: 'a' }, secretRef: { name: '' } },
        ],
      }),
    ],
    [
      'hidden',
      env(
        { name: 'A', value: 'a' },
        { name: 'A', value: '$(A)b' },
        { name: 'A', value: 'c' },
        { name: 'A', value: '$(A)' },
      ),
    ],
  ),
];
