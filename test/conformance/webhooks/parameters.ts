// Parameters of policies: objects that a binding names, and what becomes of a request when there is none.

import { setTimeout as pause } from 'node:timers/promises';
import type { Case } from '../frame/case.ts';
import { withPolicy } from '../frame/policy.ts';
import { Hook } from '../frame/webhook.ts';
import { definedWith, type Thing } from './definition.ts';

type Trial = Parameters<Case['steps']>[0];

/** The limit is the size of a Thing. */
const within = {
  expression: '!has(object.data.size) || int(object.data.size) <= params.spec.size',
  messageExpression: "'more than ' + string(params.spec.size)",
};

/** Only what has this label: markers go free while the parameters are not known yet. */
const JUDGED = { judged: 'yes' };
const takingJudged = (t: Trial): unknown => ({
  namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': t.ns } },
  objectSelector: { matchLabels: JUDGED },
});

/** A kind of the case's own: the real server follows a built-in kind of parameters only until its first policy goes. */
const defined = async (t: Trial): Promise<Thing> => definedWith(t, await Hook.open(t), { strategy: 'None' });

const paramKindOf = (thing: Thing): unknown => ({
  apiVersion: thing.body('v1', 'x', {}).apiVersion,
  kind: 'Thing',
});

async function aLimit(t: Trial, thing: Thing, name: string, labels: Record<string, string> = {}): Promise<void> {
  const body = thing.body('v1', name, { size: 3 });
  const { status } = await t.quietly({ method: 'POST', path: thing.v1, body: { ...body, metadata: { name, labels } } });
  if (status !== 201) throw new Error(`the limit was refused: ${status}`);
}

const POLLS = 600;
const POLL_MS = 100;

/** Until an answer has this in it: the real server comes to know a new kind of parameters after half a minute. */
async function until(t: Trial, words: string): Promise<void> {
  const path = `${await t.in('configmaps')}?dryRun=All`;
  for (let poll = 0; poll < POLLS; poll += 1) {
    const body = { metadata: { name: 'x', labels: JUDGED }, data: { size: '99' } };
    const told = await t.quietly({ method: 'POST', path, body });
    if (told.body.toString().includes(words)) return;
    await pause(POLL_MS);
  }
  throw new Error('the parameters are not in effect');
}

async function sized(t: Trial, ...sizes: readonly string[]): Promise<void> {
  for (const size of sizes)
    await t.post(await t.in('configmaps'), { metadata: { name: `s${size}`, labels: JUDGED }, data: { size } });
}

export const parameters: readonly Case[] = [
  {
    says: 'a policy is given the object that its binding names',
    steps: async t => {
      const thing = await defined(t);
      await aLimit(t, thing, 'limits');
      const paramRef = { name: 'limits', namespace: t.ns, parameterNotFoundAction: 'Deny' };
      await withPolicy(
        t,
        { paramKind: paramKindOf(thing), validations: [within] },
        { paramRef, matchResources: takingJudged(t) },
      );
      await until(t, 'more than');
      await sized(t, '2', '4');
    },
  },
  {
    says: 'a parameter without a namespace is looked for where the request is',
    steps: async t => {
      const thing = await defined(t);
      await aLimit(t, thing, 'limits');
      const paramRef = { name: 'limits', parameterNotFoundAction: 'Deny' };
      await withPolicy(
        t,
        { paramKind: paramKindOf(thing), validations: [within] },
        { paramRef, matchResources: takingJudged(t) },
      );
      await until(t, 'more than');
      await sized(t, '4');
    },
  },
  {
    says: 'a parameter that is not there denies the request where the binding says so',
    steps: async t => {
      const thing = await defined(t);
      const paramRef = { name: 'nowhere', namespace: t.ns, parameterNotFoundAction: 'Deny' };
      await withPolicy(
        t,
        { paramKind: paramKindOf(thing), validations: [within] },
        { paramRef, matchResources: takingJudged(t) },
      );
      await until(t, 'no params found');
      await sized(t, '4');
    },
  },
  {
    says: 'a parameter that is not there lets the request pass where the binding says so',
    steps: async t => {
      const thing = await defined(t);
      const paramRef = { name: 'nowhere', namespace: t.ns, parameterNotFoundAction: 'Allow' };
      await withPolicy(
        t,
        { paramKind: paramKindOf(thing), validations: [within] },
        { paramRef, matchResources: takingJudged(t) },
      );
      await until(t, '"kind":"ConfigMap"');
      await sized(t, '4');
    },
  },
  {
    says: 'a policy is asked once for each parameter that a selector takes',
    steps: async t => {
      const thing = await defined(t);
      for (const name of ['one', 'two']) await aLimit(t, thing, name, { limits: 'yes' });
      const selector = { matchLabels: { limits: 'yes' } };
      const paramRef = { selector, namespace: t.ns, parameterNotFoundAction: 'Deny' };
      await withPolicy(
        t,
        { paramKind: paramKindOf(thing), validations: [within] },
        { paramRef, matchResources: takingJudged(t) },
      );
      await until(t, 'more than');
      await sized(t, '2', '4');
    },
  },
  {
    says: 'a policy whose binding names no parameter sees none',
    steps: async t => {
      const validations = [
        { expression: "params != null || object.metadata.name.startsWith('marker')", message: 'no params' },
      ];
      await withPolicy(t, { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' }, validations });
      await sized(t, '4');
    },
  },
];
