// Policies and bindings as objects: what is filled in, and what is refused.

import type { Case } from '../frame/case.ts';
import { BINDINGS, POLICIES } from '../frame/policy.ts';
import { ruleFor } from '../frame/webhook.ts';

type Trial = Parameters<Case['steps']>[0];

const RULES = { resourceRules: [ruleFor(['CREATE'], ['configmaps'])] };

async function policies(t: Trial, ...specs: readonly Record<string, unknown>[]): Promise<void> {
  for (const spec of specs) {
    const body = {
      metadata: { name: t.own('policy') },
      spec: { matchConstraints: RULES, validations: [{ expression: 'true' }], ...spec },
    };
    await t.post(`${POLICIES}?dryRun=All`, body);
  }
}

async function bindings(t: Trial, ...specs: readonly Record<string, unknown>[]): Promise<void> {
  for (const spec of specs) {
    const body = {
      metadata: { name: t.own('binding') },
      spec: { policyName: 'p', validationActions: ['Deny'], ...spec },
    };
    await t.post(`${BINDINGS}?dryRun=All`, body);
  }
}

export const policyObjects: readonly Case[] = [
  {
    says: 'a policy and a binding are filled in',
    steps: async t => {
      await policies(t, { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } });
      await bindings(
        t,
        {
          matchResources: { resourceRules: RULES.resourceRules },
          paramRef: { name: 'x', parameterNotFoundAction: 'Deny' },
        },
        {},
      );
    },
  },
  {
    says: 'a policy has rules and something to say',
    steps: t =>
      policies(
        t,
        { matchConstraints: undefined },
        { matchConstraints: {} },
        { validations: [] },
        { validations: undefined, auditAnnotations: [{ key: 'k', valueExpression: "'v'" }] },
      ),
  },
  {
    says: 'the expressions of a policy are checked when it is written',
    steps: t =>
      policies(
        t,
        { validations: [{ expression: '' }] },
        { validations: [{ expression: '1' }] },
        { validations: [{ expression: 'nothing.x' }] },
        { validations: [{ expression: 'true', messageExpression: '1' }] },
        { validations: [{ expression: 'params.x' }] },
      ),
  },
  {
    says: 'a policy that spells out what a function cannot read is refused',
    steps: t =>
      policies(
        t,
        { validations: [{ expression: 'object.metadata.name.matches("(")' }] },
        { validations: [{ expression: 'matches(object.metadata.name, "(")' }] },
        { validations: [{ expression: 'object.metadata.name.find("(") == ""' }] },
        { validations: [{ expression: 'true', messageExpression: 'object.metadata.name.find("[")' }] },
        { variables: [{ name: 'a', expression: 'object.metadata.name.matches("[")' }] },
        { variables: [{ name: 'a', expression: 'matches(object.metadata.name, "[")' }] },
        { matchConditions: [{ name: 'a', expression: 'matches(object.metadata.name, "[")' }] },
        { validations: [{ expression: 'timestamp("x") == timestamp("2020-01-01T00:00:00Z")' }] },
        { validations: [{ expression: 'int("x") == 1' }] },
        { validations: [{ expression: 'object.metadata.labels.all(k, v, k != v) && object.spec.l.all(i, v, v > i)' }] },
        { validations: [{ expression: 'object.metadata.labels.all(k, k, true)' }] },
      ),
  },
  {
    says: 'messages and reasons of validations are checked',
    steps: t =>
      policies(
        t,
        { validations: [{ expression: 'true', message: 'two\nlines' }] },
        { validations: [{ expression: 'true', message: '  ' }] },
        { validations: [{ expression: 'true', reason: 'Because' }] },
        { validations: [{ expression: 'object.x ==\n1' }] },
      ),
  },
  {
    says: 'variables have names of their own, and see only those before them',
    steps: t =>
      policies(
        t,
        { variables: [{ name: '', expression: 'true' }] },
        { variables: [{ name: 'not a name', expression: 'true' }] },
        {
          variables: [
            { name: 'a', expression: 'true' },
            { name: 'a', expression: 'true' },
          ],
        },
        { variables: [{ name: 'a', expression: 'variables.b' }] },
        { validations: [{ expression: 'variables.missing' }] },
      ),
  },
  {
    says: 'the kind of the parameters has a version and a kind',
    steps: t =>
      policies(
        t,
        { paramKind: { apiVersion: '', kind: '' } },
        { paramKind: { apiVersion: 'a/b/c', kind: 'X' } },
        { paramKind: { apiVersion: 'v1', kind: 'not a kind' } },
      ),
  },
  {
    says: 'a failure policy outside of its words is refused',
    steps: t => policies(t, { failurePolicy: 'Maybe' }),
  },
  {
    says: 'a binding names its policy and what it does',
    steps: t =>
      bindings(
        t,
        { policyName: '' },
        { policyName: 'Not A Name' },
        { validationActions: [] },
        { validationActions: ['Shout'] },
        { validationActions: ['Deny', 'Deny'] },
        { validationActions: ['Deny', 'Warn'] },
      ),
  },
  {
    says: 'a reference to parameters is by name or by selector, and says what becomes of none',
    steps: t =>
      bindings(
        t,
        { paramRef: {} },
        { paramRef: { name: 'x' } },
        { paramRef: { name: 'x', selector: {}, parameterNotFoundAction: 'Deny' } },
        { paramRef: { name: 'x', parameterNotFoundAction: 'Maybe' } },
      ),
  },
];
