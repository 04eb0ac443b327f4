// An admission policy as a case needs it: written with its binding, restricted to the case's Namespace, and in effect.

import { setTimeout as pause } from 'node:timers/promises';
import type { Trial } from './trial.ts';
import { ruleFor } from './webhook.ts';

const EFFECT_DEADLINE_MS = 30_000;
const EFFECT_POLL_MS = 100;

type Fields = Readonly<Record<string, unknown>>;

export const POLICIES = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
export const BINDINGS = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings';

/** About ConfigMaps that are created, unless `spec` says otherwise. */
export const policyOf = (name: string, spec: Fields): Fields => ({
  metadata: { name },
  spec: { matchConstraints: { resourceRules: [ruleFor(['CREATE'], ['configmaps'])] }, ...spec },
});

/** Denies in the case's own Namespace, unless `spec` says otherwise. */
export const bindingOf = (t: Trial, name: string, policyName: string, spec: Fields = {}): Fields => ({
  metadata: { name },
  spec: {
    policyName,
    validationActions: ['Deny'],
    matchResources: { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': t.ns } } },
    ...spec,
  },
});

/** Writes a policy and a binding of it, and waits until requests meet both. */
export async function withPolicy(t: Trial, spec: Fields, binding: Fields = {}, name = 'policy'): Promise<void> {
  await t.in('configmaps');
  // Of its own Namespace alone: one that is not well yet refuses whatever it may be about, bound there or not.
  const matchConstraints = {
    resourceRules: [ruleFor(['CREATE'], ['configmaps'])],
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': t.ns } },
  };
  await written(t, POLICIES, policyOf(t.own(name), { matchConstraints, ...spec }));
  await written(t, BINDINGS, bindingOf(t, t.own(`${name}-bound`), t.own(name), binding));
  await policiesInEffect(t);
}

/** Creates it, unrecorded; it goes with the case. */
export async function written(t: Trial, path: string, body: Fields): Promise<void> {
  const { name } = body.metadata as { name: string };
  t.after(() => t.quietly({ method: 'DELETE', path: `${path}/${name}` }));
  const told = await t.quietly({ method: 'POST', path, body });
  if (told.status !== 201) throw new Error(`${name} was refused: ${told.body.toString()}`);
}

let markers = 0;

/** What was written before is in effect when a policy is that is written now. */
export async function policiesInEffect(t: Trial): Promise<void> {
  markers += 1;
  const marker = `marker-${markers}`;
  const maps = await t.in('configmaps');
  const spec = { validations: [{ expression: `object.metadata.name != '${marker}'`, message: 'in effect' }] };
  await written(t, POLICIES, policyOf(t.own(marker), spec));
  await written(t, BINDINGS, bindingOf(t, t.own(`${marker}-bound`), t.own(marker)));
  for (const until = Date.now() + EFFECT_DEADLINE_MS; ; await pause(EFFECT_POLL_MS)) {
    const labels = { asked: 'yes' };
    const body = { metadata: { name: marker, labels }, data: { size: '1' } };
    const { json } = await t.quietly({ method: 'POST', path: `${maps}?dryRun=All`, body });
    if (String(json?.message).includes(t.own(marker))) return;
    if (Date.now() > until) throw new Error(`the policy did not come into effect: ${JSON.stringify(json)}`);
  }
}

export const MUTATING_POLICIES = '/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies';
const MUTATING_BINDINGS = '/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicybindings';

/** Writes a mutating policy and a binding of it, and waits until requests meet both. */
export async function withMutatingPolicy(t: Trial, spec: Fields, name = 'policy'): Promise<void> {
  await t.in('configmaps');
  await writtenBoth(t, t.own(name), spec);
  markers += 1;
  const marker = `marker-${markers}`;
  const mark = `Object{metadata: Object.metadata{labels: {'${marker}': 'yes'}}}`;
  await writtenBoth(t, t.own(marker), {
    matchConditions: [{ name: 'marker', expression: `object.metadata.name == '${marker}'` }],
    mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression: mark } }],
  });
  const path = `${await t.in('configmaps')}?dryRun=All`;
  for (const until = Date.now() + EFFECT_DEADLINE_MS; ; await pause(EFFECT_POLL_MS)) {
    const body = { metadata: { name: marker }, data: { size: '1' } };
    const { json } = await t.quietly({ method: 'POST', path, body });
    if (json?.metadata?.labels?.[marker] === 'yes') return;
    if (Date.now() > until) throw new Error(`the policy did not come into effect: ${JSON.stringify(json)}`);
  }
}

async function writtenBoth(t: Trial, name: string, spec: Fields): Promise<void> {
  await written(t, MUTATING_POLICIES, policyOf(name, { reinvocationPolicy: 'Never', ...spec }));
  const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': t.ns } };
  const binding = { policyName: name, matchResources: { namespaceSelector } };
  await written(t, MUTATING_BINDINGS, { metadata: { name: `${name}-bound` }, spec: binding });
}
