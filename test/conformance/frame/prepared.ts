// What cases need before they begin: a Namespace that takes Pods, a kind of the case's own.

import type { Trial } from './trial.ts';

const READY_DEADLINE_MS = 30_000;

/** The path of the case's Pods, once the Namespace has the ServiceAccount that every Pod needs. */
export async function podsIn(t: Trial): Promise<string> {
  const account = await t.in('serviceaccounts/default');
  await ready(t, account);
  return t.in('pods');
}

/** A Pod that runs nothing, and to which admission adds no volume of a made-up name. */
export const aPod = (name: string, spec: object = {}, metadata: object = {}): object => ({
  metadata: { name, ...metadata },
  spec: { automountServiceAccountToken: false, containers: [{ name: 'main', image: 'example.com/main:1' }], ...spec },
});

/** Makes a kind `Widget` in a group of the case's own; `version` adds to its one version. */
export async function widgets(t: Trial, version: object, scope = 'Namespaced'): Promise<{ path: string; api: string }> {
  const group = `${t.own('w')}.example.com`;
  const names = { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' };
  const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: open }, ...version }];
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const body = { metadata: { name: `widgets.${group}` }, spec: { group, names, scope, versions } };
  t.after(() => t.quietly({ method: 'DELETE', path: `${definitions}/widgets.${group}` }));
  const made = await t.quietly({ method: 'POST', path: definitions, body });
  if (made.status !== 201) throw new Error(`no widgets: ${made.body.toString()}`);
  const api = `/apis/${group}/v1`;
  const path = scope === 'Namespaced' ? await t.in('widgets', api) : `${api}/widgets`;
  await ready(t, path);
  return { path, api: `${group}/v1` };
}

/** The real server reads roles and bindings in a cache: until it has seen what was written, it refuses. */
export async function allowed(t: Trial, user: string, resourceAttributes: object): Promise<void> {
  const deadline = Date.now() + READY_DEADLINE_MS;
  const path = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
  for (;;) {
    const { json } = await t.quietly({ method: 'POST', path, body: { spec: { user, resourceAttributes } } });
    if (json.status?.allowed === true) return;
    if (Date.now() > deadline) throw new Error(`${user} was not allowed to ${JSON.stringify(resourceAttributes)}`);
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}

async function ready(t: Trial, path: string): Promise<void> {
  const deadline = Date.now() + READY_DEADLINE_MS;
  for (;;) {
    const { status } = await t.quietly({ method: 'GET', path });
    if (status === 200) return;
    if (Date.now() > deadline) throw new Error(`${path} did not come`);
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}
