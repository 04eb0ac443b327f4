// Volumes of Pods, kind by kind: what each cannot do without.

import type { Case } from '../frame/case.ts';
import { odd } from '../pods/odd.ts';

type Row = readonly [what: string, source: object, more?: object];

/** Each as the one volume of a Pod. */
const volumes = (says: string, ...rows: readonly Row[]): Case =>
  odd(
    says,
    ...rows.map(([what, source, more = {}]) => [what, { volumes: [{ name: 'v', ...source, ...more }] }] as const),
  );

const projected = (...sources: readonly object[]): object => ({ projected: { sources } });
const field = (fieldPath: string): object => ({ path: 'f', fieldRef: { fieldPath } });
const claim = (spec: object, metadata: object = {}): object => ({
  ephemeral: { volumeClaimTemplate: { metadata, spec } },
});
const sound = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };

export const podVolumes: readonly Case[] = [
  volumes(
    'volumes of the host and of the kubelet are sound',
    ['hostPath up', { hostPath: { path: '/a/../x' } }],
    ['hostPath type', { hostPath: { path: '/a', type: 'x' } }],
    ['hostPath nothing', { hostPath: {} }],
    ['hostPath', { hostPath: { path: '/a', type: 'Socket' } }],
    ['emptyDir below zero', { emptyDir: { sizeLimit: '-1' } }],
    ['emptyDir medium', { emptyDir: { medium: 'x' } }],
    ['emptyDir', { emptyDir: { sizeLimit: '1Gi', medium: 'Memory' } }],
    ['two', { hostPath: { path: '/a' }, emptyDir: {}, cephfs: { monitors: [] }, downwardAPI: {} }],
    ['two, unsound', { secret: {}, hostPath: {} }],
    ['gitRepo', { gitRepo: { directory: '/a/..' } }],
    ['nothing', {}],
    ['null', { secret: null }],
    ['unnamed', { emptyDir: {} }, { name: '' }],
    ['badly named', { emptyDir: {} }, { name: 'A_b' }],
    ['dotted', { emptyDir: {} }, { name: 'a.b' }],
  ),
  volumes(
    'volumes of Secrets and ConfigMaps say which keys become which files',
    ['nameless', { secret: {} }],
    ['nameless map', { configMap: {} }],
    ['mode', { secret: { secretName: 'a', defaultMode: 512 } }],
    ['mode below zero', { configMap: { name: 'a', defaultMode: -1 } }],
    [
      'items',
      {
        secret: {
          secretName: 'a',
          items: [
            { key: '', path: '' },
            { key: 'a', path: '/a', mode: 999 },
          ],
        },
      },
    ],
    [
      'paths',
      {
        configMap: {
          name: 'a',
          items: [
            { key: 'a', path: '../a' },
            { key: 'a', path: '..a' },
          ],
        },
      },
    ],
    ['sound', { configMap: { name: 'a', items: [{ key: 'a', path: 'b/c', mode: 292 }], optional: true } }],
  ),
  volumes(
    'files about the Pod itself name a field or a resource',
    ['nothing', { downwardAPI: { items: [{ path: 'a' }] } }],
    ['no path', { downwardAPI: { items: [{ fieldRef: { fieldPath: 'metadata.name' } }] } }],
    ['unknown field', { downwardAPI: { items: [field('metadata.x')] } }],
    [
      'field of others',
      { downwardAPI: { items: [field('spec.nodeName'), field('spec.host'), field('status.podIP')] } },
    ],
    ['subscript', { downwardAPI: { items: [field("metadata.labels['a b']"), field("metadata.name['a']")] } }],
    ['no field', { downwardAPI: { items: [field('')] } }],
    [
      'version',
      { downwardAPI: { items: [{ path: 'a', fieldRef: { fieldPath: 'metadata.name', apiVersion: 'v2' } }] } },
    ],
    ['no container', { downwardAPI: { items: [{ path: 'a', resourceFieldRef: { resource: 'limits.cpu' } }] } }],
    [
      'resource',
      { downwardAPI: { items: [{ path: 'a', resourceFieldRef: { containerName: 'a', resource: 'x' }, mode: -1 }] } },
    ],
    [
      'divisor',
      {
        downwardAPI: {
          items: [{ path: 'a', resourceFieldRef: { containerName: 'a', resource: 'limits.cpu', divisor: '2' } }],
        },
      },
    ],
    ['both', { downwardAPI: { items: [{ ...field('metadata.uid'), resourceFieldRef: { resource: 'limits.cpu' } }] } }],
    ['up', { downwardAPI: { defaultMode: 888, items: [{ ...field('metadata.uid'), path: '../a' }] } }],
    ['sound', { downwardAPI: { items: [field('metadata.labels')] } }],
    ['subscript, sound', { downwardAPI: { items: [field("metadata.annotations['a']")] } }],
  ),
  volumes(
    'projected sources do not get into each other’s way',
    ['nothing', { projected: {} }],
    ['nameless', projected({ secret: {} }, { configMap: {} })],
    ['two in one', projected({ secret: { name: 'a' }, configMap: { name: 'b' } })],
    [
      'the same path',
      projected(
        { secret: { name: 's', items: [{ key: 'a', path: 'f' }] } },
        { configMap: { name: 'm', items: [{ key: 'a', path: 'f' }] } },
        { downwardAPI: { items: [field('metadata.name')] } },
      ),
    ],
    ['short token', projected({ serviceAccountToken: { path: 'a', expirationSeconds: 1 } })],
    ['long token', projected({ serviceAccountToken: { path: 'a', expirationSeconds: 5000000000 } })],
    ['token without a path', projected({ serviceAccountToken: {} })],
    ['token up', projected({ serviceAccountToken: { path: '../a' } })],
    ['mode', { projected: { defaultMode: 1000, sources: [{ downwardAPI: { items: [{ path: 'x' }] } }] } }],
    ['sound', projected({ serviceAccountToken: { path: 'a' } }, { configMap: { name: 'a', optional: true } })],
  ),
  volumes(
    'volumes of drivers and of claims say what they need',
    ['claim', { persistentVolumeClaim: {} }],
    ['csi', { csi: {} }],
    ['csi name', { csi: { driver: 'A_b', nodePublishSecretRef: {} } }],
    ['csi long', { csi: { driver: 'a'.repeat(64), nodePublishSecretRef: { name: 'A_b' } } }],
    ['csi sound', { csi: { driver: 'Example.com' } }],
    ['image', { image: {} }],
    ['image pull', { image: { reference: 'a', pullPolicy: 'x' } }],
    ['image sound', { image: { reference: 'a' } }],
    ['ephemeral', { ephemeral: {} }],
    ['ephemeral empty', claim({})],
    ['ephemeral name', claim(sound, { name: 'a', labels: { 'a b': 'c' }, annotations: { 'a b': 'c' } })],
    ['ephemeral storage', claim({ ...sound, resources: { requests: { storage: '-1' } } })],
    ['ephemeral modes', claim({ ...sound, accessModes: ['x', 'ReadWriteOncePod', 'ReadOnlyMany'] })],
    ['ephemeral class', claim({ ...sound, storageClassName: 'A_b', volumeMode: 'x' })],
    ['ephemeral source', claim({ ...sound, dataSource: { kind: 'x' }, dataSourceRef: { kind: 'x', apiGroup: 'A_b' } })],
    ['ephemeral sound', claim(sound, { labels: { a: 'b' } })],
  ),
  volumes(
    'volumes of a network say where they are',
    ['nfs', { nfs: {} }],
    ['nfs relative', { nfs: { server: 'a', path: 'b' } }],
    ['iscsi', { iscsi: { lun: 256, chapAuthSession: true } }],
    ['iscsi iqn', { iscsi: { targetPortal: 'a', iqn: 'x', lun: 0, initiatorName: 'iqn.x' } }],
    ['iscsi eui', { iscsi: { targetPortal: 'a', iqn: 'eui.1', lun: -1 } }],
    ['iscsi sound', { iscsi: { targetPortal: 'a', iqn: 'iqn.2001-04.com.example:a', lun: 0 } }],
    [
      'iscsi long',
      { iscsi: { targetPortal: 'a'.repeat(64), iqn: 'iqn.2001-04.com.example:a', lun: 0, initiatorName: 'eui.1' } },
    ],
    ['fc', { fc: {} }],
    ['fc both', { fc: { targetWWNs: ['a'], wwids: ['b'] } }],
    ['fc lun', { fc: { targetWWNs: ['a'], lun: 256 } }],
    ['glusterfs', { glusterfs: { endpoints: '', path: '' } }],
    ['rbd', { rbd: { monitors: [], image: '' } }],
    ['cephfs', { cephfs: { monitors: [] } }],
    ['cinder', { cinder: { secretRef: {} } }],
    ['flex', { flexVolume: { options: { 'kubernetes.io/a': 'b', d: 'e' } } }],
  ),
  volumes(
    'volumes of clouds and of older drivers say what they need',
    ['gce', { gcePersistentDisk: { partition: 256 } }],
    ['aws', { awsElasticBlockStore: { partition: -1 } }],
    ['azure file', { azureFile: {} }],
    ['azure disk', { azureDisk: { cachingMode: 'x', kind: 'y' } }],
    ['azure disk form', { azureDisk: { diskName: 'a', diskURI: 'b' } }],
    ['azure disk managed', { azureDisk: { diskName: 'a', diskURI: 'b', kind: 'Managed' } }],
    ['vsphere', { vsphereVolume: {} }],
    ['photon', { photonPersistentDisk: {} }],
    ['portworx', { portworxVolume: {} }],
    ['storageos', { storageos: { volumeName: 'A_b', volumeNamespace: 'c.d', secretRef: {} } }],
    ['scaleio', { scaleIO: {} }],
    ['quobyte', { quobyte: { registry: 'a' } }],
    ['quobyte none', { quobyte: {} }],
    ['flocker', { flocker: {} }],
    ['flocker both', { flocker: { datasetName: 'a/b', datasetUUID: 'c' } }],
  ),
];
