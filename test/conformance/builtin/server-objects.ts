// What a cluster has of itself: APIServices of what is served, levels and schemas of flow, and the state of components.

import type { Case } from '../frame/case.ts';
import { widgets } from '../frame/prepared.ts';
import type { Told, Trial } from '../frame/trial.ts';
import { TABLE } from '../reading/prepared.ts';

const SERVICES = '/apis/apiregistration.k8s.io/v1/apiservices';
const FLOW = '/apis/flowcontrol.apiserver.k8s.io/v1';
const MANAGED = 'kube-aggregator.kubernetes.io/automanaged';

interface Item {
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
}

/** Those that the server itself made at its start, of groups that both serve. */
async function standing(t: Trial, path: string): Promise<readonly Item[]> {
  const { json } = await t.quietly({ method: 'GET', path });
  return json.items.filter(({ metadata: { name } }: Item) => name !== 'v1.autoscaling');
}

async function names(t: Trial, path: string): Promise<void> {
  const { json }: Told = await t.quietly({ method: 'GET', path, headers: TABLE });
  t.note(
    path,
    json.rows.map(({ cells }: { readonly cells: readonly unknown[] }) => cells[0]),
  );
}

export const serverObjects: readonly Case[] = [
  {
    says: 'each built-in group version has an APIService that is available',
    steps: async t => {
      const path = `${SERVICES}?labelSelector=${MANAGED}%3Donstart`;
      for (const item of await standing(t, path)) t.note(item.metadata.name, item);
      await t.get(`${SERVICES}/v1.apps/status`);
      await t.get(`${SERVICES}/v1.none`);
    },
  },
  {
    says: 'an APIService that is served here prints as local',
    steps: async t => {
      await t.get(`${SERVICES}/v1.apps`, { headers: TABLE });
      await t.get(`${SERVICES}/v1.`, { headers: TABLE });
    },
  },
  {
    says: 'a definition brings an APIService, which goes with it',
    steps: async t => {
      const { api } = await widgets(t, {});
      const [group = ''] = api.split('/');
      const path = `${SERVICES}/v1.${group}`;
      await t.until(path, object => object?.status?.conditions !== undefined);
      await t.quietly({
        method: 'DELETE',
        path: `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.${group}`,
      });
      await t.until(path, object => object === undefined);
    },
  },
  {
    says: 'the APIService of a definition comes back when it is deleted',
    steps: async t => {
      const { api } = await widgets(t, {});
      const path = `${SERVICES}/v1.${api.split('/')[0]}`;
      const before = await t.until(path, object => object?.status?.conditions !== undefined);
      await t.delete(path);
      await t.until(path, object => object !== undefined && object.metadata.uid !== before.json.metadata.uid);
    },
  },
  {
    says: 'an APIService that makes no sense is refused',
    steps: async t => {
      const spec = { group: t.own('g'), version: 'v1', groupPriorityMinimum: 1, versionPriority: 1 };
      const service = { namespace: 'n', name: 's' };
      const named = { metadata: { name: `v1.${t.own('g')}` } };
      const dry = `${SERVICES}?dryRun=All`;
      await t.post(dry, { metadata: { name: 'other' }, spec });
      await t.post(dry, { ...named, spec: { ...spec, groupPriorityMinimum: 0 } });
      await t.post(dry, { ...named, spec: { ...spec, groupPriorityMinimum: 30_000, versionPriority: 2000 } });
      await t.post(dry, { ...named, spec: { ...spec, service } });
      await t.post(dry, { ...named, spec: { ...spec, service: { name: '' }, insecureSkipTLSVerify: true } });
      await t.post(dry, { ...named, spec: { ...spec, insecureSkipTLSVerify: true, caBundle: 'YQ==' } });
      await t.post(dry, { ...named });
    },
  },
  {
    says: 'flow schemas and priority levels that every cluster begins with',
    steps: async t => {
      for (const plural of ['flowschemas', 'prioritylevelconfigurations']) {
        const { json } = await t.quietly({ method: 'GET', path: `${FLOW}/${plural}` });
        const own = json.items.filter(({ metadata }: Item) => !metadata.name.includes('one'));
        for (const item of own) t.note(`${plural} ${item.metadata.name}`, item);
      }
    },
  },
  {
    says: 'flow schemas print in the order in which requests meet them',
    alone: true,
    steps: async t => {
      await names(t, `${FLOW}/flowschemas`);
      await names(t, `${FLOW}/prioritylevelconfigurations`);
      await t.get(`${FLOW}/flowschemas/probes`, { headers: TABLE });
      await t.get(`${FLOW}/prioritylevelconfigurations/exempt`, { headers: TABLE });
    },
  },
  {
    says: 'flow schemas and priority levels get what they leave out, or are refused',
    steps: async t => {
      const level = (spec: object): object => ({ metadata: { name: t.own('one') }, spec });
      const levels = `${FLOW}/prioritylevelconfigurations`;
      const dry = `${levels}?dryRun=All`;
      await t.post(dry, level({ type: 'Limited', limited: { limitResponse: { type: 'Queue', queuing: {} } } }));
      await t.post(dry, level({ type: 'Limited' }));
      await t.post(dry, level({ type: 'Exempt', limited: { limitResponse: { type: 'Reject' } } }));
      await t.post(dry, level({ type: 'Exempt' }));
      await t.post(dry, level({ type: 'Other' }));
      await t.post(
        dry,
        level({ type: 'Limited', limited: { limitResponse: { type: 'Queue' }, lendablePercent: 101 } }),
      );
      const schema = (spec: object): object => ({ metadata: { name: t.own('one') }, spec });
      await t.post(`${FLOW}/flowschemas?dryRun=All`, schema({ priorityLevelConfiguration: { name: 'system' } }));
      await t.post(`${FLOW}/flowschemas?dryRun=All`, schema({ matchingPrecedence: 0 }));
      await t.post(
        `${FLOW}/flowschemas?dryRun=All`,
        schema({ priorityLevelConfiguration: { name: 'system' }, rules: [{ subjects: [] }] }),
      );
    },
  },
  {
    says: 'the store is a component, and healthy',
    steps: async t => {
      await t.get('/api/v1/componentstatuses/etcd-0');
      await t.get('/api/v1/componentstatuses/etcd-0', { headers: TABLE });
      await t.get('/api/v1/componentstatuses/none');
      await t.post('/api/v1/componentstatuses', { metadata: { name: 'a' } });
      await t.delete('/api/v1/componentstatuses/etcd-0');
      await t.get('/api/v1/componentstatuses?watch=1');
      const { status, headers, json } = await t.quietly({ method: 'GET', path: '/api/v1/componentstatuses' });
      const { items, ...list } = json;
      t.note('list', [status, headers.warning, list]);
      t.note(
        'the store',
        items.find(({ metadata }: Item) => metadata.name === 'etcd-0'),
      );
    },
  },
  {
    says: 'components are listed',
    difference: 6,
    steps: async t => {
      const { json } = await t.quietly({ method: 'GET', path: '/api/v1/componentstatuses' });
      t.note('names', json.items.map(({ metadata }: Item) => metadata.name).sort());
    },
  },
];
