// What a Namespace that is going says of what holds it.

import type { Case } from '../frame/case.ts';
import { aPod, podsIn, widgets } from '../frame/prepared.ts';
import type { Trial } from '../frame/trial.ts';
import { gone, heldMap, made, merged } from './made.ts';
import { noteConditions, pathOf, says, settledAs } from './terminating.ts';

export const namespaceConditions: readonly Case[] = [
  {
    says: 'the conditions name the finalizers that hold the content',
    steps: async t => {
      await heldMap(t, 'a');
      await heldMap(t, 'b');
      await t.quietly({ method: 'DELETE', path: pathOf(t) });
      await noteConditions(t, says('NamespaceFinalizersRemaining', 'True'));
      const maps = await t.in('configmaps');
      for (const name of ['a', 'b']) await merged(t, `${maps}/${name}`, { metadata: { finalizers: null } });
      await t.until(pathOf(t), gone);
    },
  },
  {
    says: 'the conditions name several kinds and finalizers',
    steps: async t => {
      await heldMap(t, 'a');
      const secrets = await t.in('secrets');
      t.after(() => merged(t, `${secrets}/s`, { metadata: { finalizers: null } }));
      await made(t, secrets, { metadata: { name: 's', finalizers: ['example.com/one', 'example.com/two'] } });
      await t.quietly({ method: 'DELETE', path: pathOf(t) });
      await noteConditions(t, says('NamespaceFinalizersRemaining', 'True'));
    },
  },
  {
    says: 'a custom object that is held is named with its group',
    steps: async t => {
      const { path, api } = await widgets(t, {});
      t.after(() => merged(t, `${path}/a`, { metadata: { finalizers: null } }));
      await made(t, path, { apiVersion: api, kind: 'Widget', metadata: { name: 'a', finalizers: ['example.com/w'] } });
      await t.quietly({ method: 'DELETE', path: pathOf(t) });
      await noteConditions(t, says('NamespaceFinalizersRemaining', 'True'));
      await merged(t, `${path}/a`, { metadata: { finalizers: null } });
      await t.until(pathOf(t), gone);
    },
  },
  {
    says: 'a Namespace waits for its Pods to end',
    steps: async t => {
      const pods = await podsIn(t);
      const node = t.own('node');
      t.after(() => t.quietly({ method: 'DELETE', path: `/api/v1/nodes/${node}` }));
      await t.quietly({ method: 'POST', path: '/api/v1/nodes', body: { metadata: { name: node } } });
      t.after(() => t.quietly({ method: 'DELETE', path: `${pods}/a?gracePeriodSeconds=0` }));
      await made(t, pods, aPod('a', { nodeName: node }));
      await t.quietly({ method: 'DELETE', path: pathOf(t) });
      await t.until(`${pods}/a`, pod => pod?.metadata.deletionTimestamp !== undefined);
      await noteConditions(t, says('NamespaceContentRemaining', 'False'));
      await t.delete(`${pods}/a`, { gracePeriodSeconds: 0 });
      await t.until(pathOf(t), gone);
    },
  },
  {
    says: 'the conditions tell what refused to be deleted, and why',
    steps: async t => {
      const secrets = await t.in('secrets');
      await made(t, secrets, { metadata: { name: 'a' } });
      const lift = await forbidDeletes(t, secrets, 'secrets');
      await t.quietly({ method: 'DELETE', path: pathOf(t) });
      const failed = says('NamespaceDeletionContentFailure', 'True');
      const { json } = await settledAs(t, failed);
      // The real controller deletes all at once and knows no name.
      const { reason, message } = json.status.conditions[2];
      t.note('why', [reason, message.replace(/secrets "\w+"/, 'secrets')]);
      await lift();
      await t.until(pathOf(t), gone);
    },
  },
];

/** A policy of the case's own by which nothing of this kind is deleted; the answer lifts it. */
async function forbidDeletes(t: Trial, collection: string, resource: string): Promise<() => Promise<unknown>> {
  const name = t.own('keep');
  const root = '/apis/admissionregistration.k8s.io/v1';
  const policies = `${root}/validatingadmissionpolicies`;
  const bindings = `${root}/validatingadmissionpolicybindings`;
  const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['DELETE'], resources: [resource] };
  const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': t.ns } };
  const matchConstraints = { namespaceSelector, resourceRules: [rule] };
  const validations = [{ expression: 'false', message: 'it is kept' }];
  const lift = (): Promise<unknown> => t.quietly({ method: 'DELETE', path: `${bindings}/${name}` });
  t.after(() => t.quietly({ method: 'DELETE', path: `${policies}/${name}` }));
  t.after(lift);
  await made(t, policies, { metadata: { name }, spec: { matchConstraints, validations } });
  await made(t, bindings, { metadata: { name }, spec: { policyName: name, validationActions: ['Deny'] } });
  for (;;) {
    const { status } = await t.quietly({ method: 'DELETE', path: `${collection}/a?dryRun=All` });
    if (status !== 200) return lift;
    await new Promise(resolve => setTimeout(resolve, 100));
  }
}
