// PersistentVolumes, their claims and StorageClasses: what storage is asked for, and what of it is fixed.

import type { Case } from '../frame/case.ts';
import { atCluster, changing, changingRefusals, inOwnNamespace, trying, tryingRefusals } from './tried.ts';

const claimSpec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
const claim = (more: object): object => ({ spec: { ...claimSpec, ...more } });
const claims = inOwnNamespace('persistentvolumeclaims', '/api/v1');
const tried = tryingRefusals(claims, { spec: claimSpec });
const changed = changingRefusals(claims, { spec: claimSpec });

const volumeSpec = { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/data' } };
const volume = (more: object): object => ({ spec: { ...volumeSpec, ...more } });
const source = (more: object): object => volume({ hostPath: undefined, ...more });
const volumesDoor = atCluster('persistentvolumes', '/api/v1');
const volumeTried = tryingRefusals(volumesDoor, { spec: volumeSpec });

const classDoor = atCluster('storageclasses', '/apis/storage.k8s.io/v1');
const classSound = { provisioner: 'example.com/disk' };
const classTried = trying(classDoor, classSound);
const classChanged = changing(classDoor, classSound);

export const volumes: readonly Case[] = [
  tried(
    'a claim says how it is to be used',
    claim({ accessModes: undefined }),
    claim({ accessModes: [] }),
    claim({ accessModes: ['Odd'] }),
    claim({ accessModes: ['ReadWriteOncePod'] }),
    claim({ accessModes: ['ReadWriteOncePod', 'ReadOnlyMany'] }),
  ),
  tried(
    'a claim says how much it wants',
    claim({ resources: undefined }),
    claim({ resources: { requests: { cpu: '1' } } }),
    claim({ resources: { requests: { storage: '0' } } }),
    claim({ resources: { requests: { storage: '-1Gi' } } }),
    claim({ resources: { requests: { storage: '500m' } } }),
  ),
  tried(
    'a claim names classes and modes that there can be',
    claim({ storageClassName: 'Not_A_Class' }),
    claim({ storageClassName: '' }),
    claim({ volumeMode: 'Odd' }),
    claim({ volumeMode: 'Block' }),
    claim({ volumeAttributesClassName: 'Not_A_Class' }),
  ),
  tried('the selector of a claim is sound', claim({ selector: { matchLabels: { 'not a key': 'a' } } })),
  tried(
    'a claim is filled from a snapshot or another claim',
    claim({ dataSource: { kind: 'PersistentVolumeClaim', name: 'other' } }),
    claim({ dataSource: { kind: 'PersistentVolumeClaim', name: '' } }),
    claim({ dataSource: { kind: '', name: 'other' } }),
    claim({ dataSource: { kind: 'Odd', name: 'other' } }),
    claim({ dataSource: { apiGroup: 'not a group', kind: 'Odd', name: 'other' } }),
    claim({ dataSourceRef: { kind: 'Secret', name: 's' } }),
  ),
  changed(
    'a claim that is not bound does not change',
    { metadata: { labels: { a: 'b' } } },
    { spec: { accessModes: ['ReadOnlyMany'] } },
    { spec: { storageClassName: 'other' } },
    { spec: { volumeName: 'v' } },
    { spec: { resources: { requests: { storage: '2Gi' } } } },
  ),
  {
    says: 'a bound claim may grow, in a class that allows it',
    steps: async t => {
      const storageClass = { ...classSound, metadata: { name: t.own('fixed') } };
      const path = await t.in('persistentvolumeclaims');
      await t.quietly({ method: 'POST', path: '/apis/storage.k8s.io/v1/storageclasses', body: storageClass });
      t.after(() => t.quietly({ method: 'DELETE', path: `/apis/storage.k8s.io/v1/storageclasses/${t.own('fixed')}` }));
      const growing = { ...classSound, allowVolumeExpansion: true, metadata: { name: t.own('growing') } };
      await t.quietly({ method: 'POST', path: '/apis/storage.k8s.io/v1/storageclasses', body: growing });
      t.after(() =>
        t.quietly({ method: 'DELETE', path: `/apis/storage.k8s.io/v1/storageclasses/${t.own('growing')}` }),
      );
      const status = { phase: 'Bound', capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'] };
      for (const name of ['fixed', 'growing']) {
        const spec = { ...claimSpec, volumeName: t.own('v'), storageClassName: t.own(name) };
        await t.quietly({ method: 'POST', path, body: { metadata: { name }, spec } });
        const headers = { 'content-type': 'application/merge-patch+json' };
        await t.quietly({ method: 'PATCH', path: `${path}/${name}/status`, body: { status }, headers });
        for (const storage of ['2Gi', '512Mi', '1Gi']) {
          const wanted = { spec: { resources: { requests: { storage } } } };
          const told = await t.quietly({ method: 'PATCH', path: `${path}/${name}?dryRun=All`, body: wanted, headers });
          t.note(`${name} to ${storage}`, [told.status, told.json.message ?? told.json.spec]);
        }
      }
    },
  },
  volumeTried(
    'a volume says how much it holds, for whom, and where',
    {},
    volume({ accessModes: [] }),
    volume({ accessModes: ['Odd'] }),
    volume({ accessModes: ['ReadWriteOncePod', 'ReadWriteOnce'] }),
    volume({ capacity: undefined }),
    volume({ capacity: { storage: '0' } }),
    volume({ capacity: { cpu: '1' } }),
  ),
  volumeTried(
    'a volume is of exactly one kind',
    source({}),
    volume({ nfs: { server: 's', path: '/p' } }),
    source({ hostPath: { path: '' } }),
    source({ hostPath: { path: '/a/../b' } }),
    source({ hostPath: { path: '/a', type: 'Odd' } }),
  ),
  volumeTried(
    'a volume of a driver or a server names what it needs',
    source({ csi: { driver: 'disk.example.com', volumeHandle: 'v-1' } }),
    source({ csi: { driver: '', volumeHandle: '' } }),
    source({ csi: { driver: 'Not A Driver', volumeHandle: 'v' } }),
    source({ csi: { driver: 'd', volumeHandle: 'v', nodeStageSecretRef: { name: '', namespace: '' } } }),
    source({ nfs: { server: '', path: '' } }),
    source({ nfs: { server: 's', path: 'relative' } }),
  ),
  volumeTried(
    'a local volume says on which Nodes it is',
    source({ local: { path: '/data' } }),
    source({ local: { path: '' } }),
    source({
      local: { path: '/data' },
      nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'Exists' }] }] } },
    }),
    source({ local: { path: '/data' }, nodeAffinity: {} }),
    source({ local: { path: '/data' }, nodeAffinity: { required: { nodeSelectorTerms: [] } } }),
  ),
  volumeTried(
    'a volume is kept, deleted or recycled',
    volume({ persistentVolumeReclaimPolicy: 'Odd' }),
    volume({ persistentVolumeReclaimPolicy: 'Delete' }),
    volume({ persistentVolumeReclaimPolicy: 'Recycle', hostPath: { path: '/' } }),
    volume({ volumeMode: 'Odd' }),
    volume({ storageClassName: 'Not_A_Class' }),
  ),
  changingRefusals(volumesDoor, { spec: volumeSpec })(
    'where a volume is does not change',
    { spec: { hostPath: { path: '/other' } } },
    { spec: { capacity: { storage: '2Gi' } } },
    { spec: { volumeMode: 'Block' } },
    { spec: { persistentVolumeReclaimPolicy: 'Delete' } },
  ),
  classTried(
    'a StorageClass names who provides, and what becomes of it',
    {},
    { provisioner: '' },
    { provisioner: 'Not A Name' },
    { reclaimPolicy: 'Odd' },
    { reclaimPolicy: 'Recycle' },
    { volumeBindingMode: 'Odd' },
    { volumeBindingMode: '' },
    { parameters: { '': 'a' } },
  ),
  classTried(
    'topologies of a StorageClass are keys with values, each once',
    { allowedTopologies: [{ matchLabelExpressions: [{ key: 'zone', values: ['a'] }] }] },
    { allowedTopologies: [{ matchLabelExpressions: [{ key: 'not a key', values: ['a'] }] }] },
    { allowedTopologies: [{ matchLabelExpressions: [{ key: 'zone', values: [] }] }] },
    { allowedTopologies: [{ matchLabelExpressions: [{ key: 'zone', values: ['a', 'a'] }] }] },
  ),
  classChanged(
    'what a StorageClass makes is fixed',
    { provisioner: 'example.com/other' },
    { reclaimPolicy: 'Retain' },
    { volumeBindingMode: 'WaitForFirstConsumer' },
    { parameters: { a: 'b' } },
    { allowVolumeExpansion: true },
  ),
];
