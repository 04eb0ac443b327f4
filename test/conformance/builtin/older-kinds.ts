// Endpoints, ReplicationControllers, RuntimeClasses and how DaemonSets roll: what of them is refused.

import type { Case } from '../frame/case.ts';
import { atCluster, changing, inOwnNamespace, trying } from './tried.ts';

const endpoints = trying(inOwnNamespace('endpoints', '/api/v1'), {});
const subset = (...subsets: readonly object[]): object => ({ subsets });
const addresses = [{ ip: '192.168.0.1' }];
const ports = [{ port: 80 }];

const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const controllerSpec = { replicas: 1, selector: { app: 'a' }, template };
const controllers = trying(inOwnNamespace('replicationcontrollers', '/api/v1'), { spec: controllerSpec });
const controllerChanged = changing(inOwnNamespace('replicationcontrollers', '/api/v1'), { spec: controllerSpec });
const controller = (more: object): object => ({ spec: { ...controllerSpec, ...more } });

const runtimes = trying(atCluster('runtimeclasses', '/apis/node.k8s.io/v1'), { handler: 'vm' });

const daemonSpec = { selector: { matchLabels: { app: 'a' } }, template };
const daemons = trying(inOwnNamespace('daemonsets', '/apis/apps/v1'), { spec: daemonSpec });
const daemon = (updateStrategy: object): object => ({ spec: { ...daemonSpec, updateStrategy } });
const rolling = (rollingUpdate: object): object => daemon({ type: 'RollingUpdate', rollingUpdate });

export const olderKinds: readonly Case[] = [
  endpoints('Endpoints without subsets are none yet', {}, subset()),
  endpoints(
    'a subset of Endpoints has addresses and ports that can be',
    subset({ addresses, ports }),
    subset({}),
    subset({ addresses: [], notReadyAddresses: [], ports }),
    subset({ addresses }),
    subset({ notReadyAddresses: addresses, ports }),
  ),
  endpoints(
    'an address of Endpoints is one that others can reach',
    subset({ addresses: [{ ip: '' }], ports }),
    subset({ addresses: [{ ip: 'mine' }], ports }),
    subset({ addresses: [{ ip: '127.0.0.1' }], ports }),
    subset({ addresses: [{ ip: '169.254.0.1' }], ports }),
    subset({ addresses: [{ ip: '0.0.0.0' }], ports }),
    subset({ addresses: [{ ip: '224.0.0.1' }], ports }),
    subset({ addresses: [{ ip: '192.168.0.1', hostname: 'Not_A_Host' }], ports }),
    subset({ addresses: [{ ip: '192.168.0.1', nodeName: 'Not_A_Node' }], ports }),
  ),
  endpoints(
    'a port of Endpoints has a number, a protocol and, among others, a name',
    subset({ addresses, ports: [{ port: 0 }] }),
    subset({ addresses, ports: [{ port: 70_000 }] }),
    subset({ addresses, ports: [{ port: 80, protocol: 'IPX' }] }),
    subset({ addresses, ports: [{ port: 80 }, { port: 81 }] }),
    subset({ addresses, ports: [{ port: 80, name: 'Not_A_Name' }] }),
    subset({ addresses, ports: [{ port: 80, name: 'a', appProtocol: 'not a name' }] }),
  ),
  controllers(
    'a ReplicationController selects the Pods that it makes',
    {},
    controller({ selector: undefined }),
    controller({ selector: { app: 'b' } }),
    controller({ selector: {}, template: { spec: template.spec } }),
    controller({ template: undefined }),
  ),
  controllers(
    'the numbers of a ReplicationController are not negative',
    controller({ replicas: -1 }),
    controller({ minReadySeconds: -1 }),
    controller({ replicas: null }),
  ),
  controllers(
    'Pods of a ReplicationController run for ever',
    controller({ template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } } }),
    controller({ template: { ...template, spec: { containers: [] } } }),
  ),
  controllerChanged(
    'a changed ReplicationController still selects its Pods',
    { spec: { replicas: 3 } },
    { spec: { replicas: -3 } },
    { spec: { selector: { app: 'b' } } },
  ),
  {
    says: 'the status of a ReplicationController counts parts of a whole',
    steps: async t => {
      const path = await t.in('replicationcontrollers');
      await t.quietly({ method: 'POST', path, body: { metadata: { name: 'a' }, spec: controllerSpec } });
      const say = (status: object): Promise<unknown> =>
        t.patch(`${path}/a/status?dryRun=All`, 'merge-patch+json', { status });
      await say({ replicas: 2, readyReplicas: 1, availableReplicas: 1 });
      await say({ replicas: 1, readyReplicas: 2 });
      await say({ replicas: 1, readyReplicas: 0, availableReplicas: 1 });
      await say({ replicas: 1, fullyLabeledReplicas: 2 });
      await say({ replicas: -1 });
    },
  },
  runtimes(
    'a RuntimeClass names a handler',
    {},
    { handler: '' },
    { handler: 'Not_A_Handler' },
    { handler: 'a'.repeat(64) },
  ),
  runtimes(
    'what a RuntimeClass adds to Pods is sound',
    { overhead: { podFixed: { cpu: '100m' } } },
    { overhead: { podFixed: { cpu: '-1' } } },
    { overhead: { podFixed: { odd: '1' } } },
    { scheduling: { nodeSelector: { 'not a key': 'a' } } },
    { scheduling: { tolerations: [{ key: 'not a key', operator: 'Exists' }] } },
    { scheduling: { tolerations: [{ operator: 'Odd' }] } },
  ),
  changing(atCluster('runtimeclasses', '/apis/node.k8s.io/v1'), { handler: 'vm' })(
    'the handler of a RuntimeClass is fixed',
    { handler: 'other' },
  ),
  daemons(
    'a DaemonSet rolls or waits for deletes',
    daemon({ type: 'OnDelete' }),
    daemon({ type: 'Odd' }),
    daemon({ type: 'RollingUpdate' }),
    daemon({ type: 'OnDelete', rollingUpdate: { maxUnavailable: 1 } }),
  ),
  daemons(
    'how many Pods of a DaemonSet roll at once makes sense',
    rolling({ maxUnavailable: 0 }),
    rolling({ maxUnavailable: 0, maxSurge: 1 }),
    rolling({ maxUnavailable: 1, maxSurge: 1 }),
    rolling({ maxUnavailable: '0%', maxSurge: '0%' }),
    rolling({ maxUnavailable: '200%' }),
    rolling({ maxUnavailable: -1 }),
    rolling({ maxUnavailable: 'some' }),
    rolling({ maxUnavailable: 0, maxSurge: '101%' }),
  ),
];
