// Who says no class gets the default one: of storage, and of ingresses.

import type { Case } from '../frame/case.ts';
import type { Trial } from '../frame/trial.ts';

const storage = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
const backend = { defaultBackend: { service: { name: 's', port: { number: 80 } } } };

async function classes(t: Trial, path: string, mark: string, rest: object): Promise<void> {
  for (const [name, isDefault] of [
    ['b', 'true'],
    ['c', 'true'],
    ['a', 'false'],
  ] as const) {
    const metadata = { name: t.own(name), annotations: { [mark]: isDefault } };
    await t.quietly({ method: 'POST', path, body: { metadata, ...rest } });
    t.after(() => t.quietly({ method: 'DELETE', path: `${path}/${t.own(name)}` }));
  }
}

type Row = readonly [what: string, spec: object, annotations?: object];

async function taken(t: Trial, path: string, key: string, rows: readonly Row[]): Promise<void> {
  for (const [what, spec, annotations = {}] of rows) {
    const body = { metadata: { name: 'a', annotations }, spec };
    const { status, json } = await t.quietly({ method: 'POST', path: `${path}?dryRun=All`, body });
    // Two that were made within one second are told by their names.
    const found: unknown = json.spec?.[key] ?? null;
    t.note(what, [status, typeof found === 'string' ? t.mask.text(found).replace(/^c$/, 'b') : found]);
  }
}

export const defaultClasses: readonly Case[] = [
  {
    says: 'a claim that says no class gets the default one',
    alone: true,
    steps: async t => {
      const claims = await t.in('persistentvolumeclaims');
      await taken(t, claims, 'storageClassName', [['no default', storage]]);
      const mark = 'storageclass.kubernetes.io/is-default-class';
      await classes(t, '/apis/storage.k8s.io/v1/storageclasses', mark, { provisioner: 'example.com/p' });
      await taken(t, claims, 'storageClassName', [
        ['none said', storage],
        ['no class', { ...storage, storageClassName: '' }],
        ['a class', { ...storage, storageClassName: 'x' }],
        ['said as long ago', storage, { 'volume.beta.kubernetes.io/storage-class': 'x' }],
      ]);
    },
  },
  {
    says: 'an ingress that says no class gets the default one',
    alone: true,
    steps: async t => {
      const ingresses = await t.in('ingresses', '/apis/networking.k8s.io/v1');
      await taken(t, ingresses, 'ingressClassName', [['no default', backend]]);
      const mark = 'ingressclass.kubernetes.io/is-default-class';
      const spec = { controller: 'example.com/c' };
      await classes(t, '/apis/networking.k8s.io/v1/ingressclasses', mark, { spec });
      await taken(t, ingresses, 'ingressClassName', [
        ['none said', backend],
        ['a class', { ...backend, ingressClassName: 'x' }],
        ['said as long ago', backend, { 'kubernetes.io/ingress.class': 'x' }],
      ]);
    },
  },
];
