// Field selectors: which fields each kind has, and how objects enter and leave by them.

import type { Case } from '../frame/case.ts';
import { aPod, podsIn, widgets } from '../frame/prepared.ts';
import type { Trial } from '../frame/trial.ts';
import { secretsIn, versionOf } from './prepared.ts';

async function selected(t: Trial, path: string, selectors: readonly string[]): Promise<void> {
  for (const selector of selectors) {
    const { json } = await t.quietly({ method: 'GET', path: `${path}?fieldSelector=${encodeURIComponent(selector)}` });
    const names = (items: readonly { metadata: { name: string } }[]): readonly string[] =>
      items.map(item => item.metadata.name);
    t.note(t.mask.text(selector), json.items === undefined ? json.message : names(json.items));
  }
}

const withMerge = { 'content-type': 'application/merge-patch+json' };

export const selectingByFields: readonly Case[] = [
  {
    says: 'every kind is selected by name and Namespace',
    steps: async t => {
      const secrets = await secretsIn(t, 'a', 'b');
      await selected(t, secrets, [
        'metadata.name=a',
        'metadata.name==a',
        'metadata.name!=a',
        `metadata.namespace=${t.ns}`,
        'metadata.namespace=other',
        'metadata.name=a,metadata.name!=b',
        'metadata.name=a,metadata.name=b',
      ]);
    },
  },
  {
    says: 'Secrets are selected by type',
    steps: async t => {
      const secrets = await secretsIn(t, 'a');
      await t.quietly({ method: 'POST', path: secrets, body: { metadata: { name: 'b' }, type: 'example.com/own' } });
      await selected(t, secrets, ['type=Opaque', 'type!=Opaque', 'type=example.com/own', 'type=']);
    },
  },
  {
    says: 'Pods are selected by where they run and how they are',
    steps: async t => {
      const pods = await podsIn(t);
      await t.quietly({ method: 'POST', path: pods, body: aPod('free') });
      await t.quietly({
        method: 'POST',
        path: pods,
        body: aPod('bound', { nodeName: t.own('node'), hostNetwork: true }),
      });
      await selected(t, pods, [
        'spec.nodeName=',
        'spec.nodeName!=',
        'status.phase=Pending',
        'status.phase!=Pending',
        'spec.restartPolicy=Always',
        'spec.schedulerName=default-scheduler',
        'spec.serviceAccountName=default',
        'spec.hostNetwork=true',
        'spec.hostNetwork=false',
        'status.podIP=',
        'status.nominatedNodeName=',
        'spec.priority=0',
      ]);
    },
  },
  {
    says: 'fields that a kind does not have are refused in its own words',
    steps: async t => {
      await t.get(`${await t.in('pods')}?fieldSelector=spec.nothing%3Da`);
      await t.get(`${await t.in('secrets')}?fieldSelector=data%3Da`);
      await t.get(`${await t.in('configmaps')}?fieldSelector=data%3Da`);
      await t.get(`${await t.in('deployments', '/apis/apps/v1')}?fieldSelector=spec.replicas%3D1`);
      await t.get(`${await t.in('leases', '/apis/coordination.k8s.io/v1')}?fieldSelector=spec.holderIdentity%3Da`);
      await t.get('/api/v1/nodes?fieldSelector=spec.podCIDR%3Da');
      await t.watch(`${await t.in('configmaps')}?watch=1&fieldSelector=data%3Da`);
    },
  },
  {
    says: 'what is no field selector is refused',
    steps: async t => {
      const secrets = await secretsIn(t, 'a');
      await selected(t, secrets, [
        'metadata.name',
        '!metadata.name',
        'metadata.name>a',
        'metadata.name in (a)',
        '=a',
        ',',
        'metadata.name=a,',
        'metadata.name=a\\,b',
        'metadata.name=a\\b',
        'metadata.name=\\',
        'metadata.name=a=b',
      ]);
    },
  },
  {
    says: 'Events are selected by what they are about, in both groups',
    steps: async t => {
      const events = await t.in('events');
      const body = {
        metadata: { name: 'a' },
        involvedObject: { kind: 'Pod', name: 'p', namespace: t.ns, uid: 'u', apiVersion: 'v1', fieldPath: 'spec' },
        reason: 'Started',
        type: 'Normal',
        source: { component: 'me' },
      };
      await t.quietly({ method: 'POST', path: events, body });
      await selected(t, events, [
        'involvedObject.kind=Pod',
        'involvedObject.name=p,involvedObject.uid=u',
        'involvedObject.fieldPath=spec',
        'reason=Started',
        'reason=Stopped',
        'type=Normal',
        'source=me',
        'reportingComponent=me',
        'regarding.kind=Pod',
      ]);
      await selected(t, await t.in('events', '/apis/events.k8s.io/v1'), [
        'regarding.kind=Pod',
        'regarding.name=p',
        'reportingController=me',
        'reason=Started',
        'type=Warning',
        'involvedObject.kind=Pod',
      ]);
    },
  },
  {
    says: 'cluster-scoped kinds have no Namespace to be selected by, and the value may be empty',
    steps: async t => {
      await t.in('secrets');
      await selected(t, '/api/v1/namespaces', [
        `metadata.name=${t.ns}`,
        `metadata.name=${t.ns},status.phase=Active`,
        `metadata.name=${t.ns},status.phase=Terminating`,
        `metadata.name=${t.ns},metadata.namespace=`,
        `metadata.name=${t.ns},metadata.namespace=a`,
        'spec.finalizers=a',
      ]);
      await selected(t, '/apis/rbac.authorization.k8s.io/v1/clusterroles', [
        'metadata.name=view',
        'metadata.name=view,metadata.namespace=',
      ]);
    },
  },
  {
    says: 'a Node is selected by whether it takes Pods',
    steps: async t => {
      const name = t.own('node');
      t.after(() => t.quietly({ method: 'DELETE', path: `/api/v1/nodes/${name}` }));
      await t.quietly({ method: 'POST', path: '/api/v1/nodes', body: { metadata: { name } } });
      const named = `metadata.name=${name}`;
      await selected(t, '/api/v1/nodes', [`${named},spec.unschedulable=false`, `${named},spec.unschedulable=true`]);
    },
  },
  {
    says: 'a Pod enters and leaves a watch by its phase',
    steps: async t => {
      const pods = await podsIn(t);
      const made = await t.quietly({ method: 'POST', path: pods, body: aPod('a') });
      const version = made.json.metadata.resourceVersion as string;
      const watch = await t.watch(`${pods}?watch=1&resourceVersion=${version}&fieldSelector=status.phase%3DRunning`);
      for (const phase of ['Running', 'Succeeded']) {
        const body = { status: { phase } };
        await t.quietly({ method: 'PATCH', path: `${pods}/a/status`, headers: withMerge, body });
      }
      await watch.frames(2);
    },
  },
  {
    says: 'custom objects are selected by the fields that their definition names',
    steps: async t => {
      const properties = {
        spec: { type: 'object', properties: { color: { type: 'string' }, size: { type: 'integer' } } },
      };
      const { path, api } = await widgets(t, {
        schema: { openAPIV3Schema: { type: 'object', properties } },
        selectableFields: [{ jsonPath: '.spec.color' }, { jsonPath: '.spec.size' }],
      });
      const kind = { apiVersion: api, kind: 'Widget' };
      for (const [name, spec] of Object.entries({ a: { color: 'red', size: 1 }, b: { color: 'blue' }, c: {} })) {
        await t.quietly({ method: 'POST', path, body: { ...kind, metadata: { name }, spec } });
      }
      await selected(t, path, ['spec.color=red', 'spec.color!=red', 'spec.size=1', 'spec.color=', 'spec.other=1']);
      const version = await versionOf(t, path);
      const watch = await t.watch(`${path}?watch=1&resourceVersion=${version}&fieldSelector=spec.color%3Dgreen`);
      for (const color of ['green', 'red']) {
        await t.quietly({ method: 'PATCH', path: `${path}/b`, headers: withMerge, body: { spec: { color } } });
      }
      await watch.frames(2);
    },
  },
  {
    says: 'a get by name and a list by name agree, also on a name that no object may have',
    steps: async t => {
      const secrets = await secretsIn(t, 'a');
      await selected(t, secrets, ['metadata.name=A_B', 'metadata.name=..', 'metadata.name=a/b', 'metadata.name=']);
      await t.get(`${secrets}/A_B`);
    },
  },
];
