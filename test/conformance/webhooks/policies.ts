// ValidatingAdmissionPolicy: what is denied, in which words, and what expressions see.

import type { Case } from '../frame/case.ts';
import { BINDINGS, bindingOf, POLICIES, policiesInEffect, policyOf, withPolicy, written } from '../frame/policy.ts';
import { allowed } from '../frame/prepared.ts';
import { ruleFor } from '../frame/webhook.ts';
import { ANN } from './reviews.ts';

type Trial = Parameters<Case['steps']>[0];

const map = (name: string, data: Record<string, string> = {}, labels: Record<string, string> = {}): unknown => ({
  metadata: { name, labels },
  data,
});
const SMALL = 'int(object.data.size) < 5';
const small = (more: Record<string, unknown> = {}): Record<string, unknown> => ({ expression: SMALL, ...more });

/** One map that is small enough and one that is not. */
async function bothSizes(
  t: Trial,
  spec: Record<string, unknown>,
  binding: Record<string, unknown> = {},
): Promise<void> {
  await withPolicy(t, spec, binding);
  const maps = await t.in('configmaps');
  await t.post(maps, map('small', { size: '1' }));
  await t.post(maps, map('large', { size: '9' }));
}

export const policies: readonly Case[] = [
  {
    says: 'a policy denies what its expression does not hold for, and shows the expression',
    steps: t => bothSizes(t, { validations: [small()] }),
  },
  {
    says: 'a policy says its message',
    steps: t => bothSizes(t, { validations: [small({ message: 'it is too large' })] }),
  },
  {
    says: 'a policy says what its message expression makes',
    steps: t =>
      bothSizes(t, {
        validations: [small({ message: 'm', messageExpression: "'got ' + object.data.size + ' of 5'" })],
      }),
  },
  {
    says: 'a message expression that fails, is empty or has several lines gives way to the message',
    steps: async t => {
      await withPolicy(t, {
        validations: [
          small({ message: 'first', messageExpression: 'string(object.data.nothing)' }),
          { expression: "object.metadata.name != 'b'", message: 'second', messageExpression: "'   '" },
          { expression: "object.metadata.name != 'c'", message: 'third', messageExpression: "'a\\nb'" },
        ],
      });
      const maps = await t.in('configmaps');
      await t.post(maps, map('a', { size: '9' }));
      await t.post(maps, map('b', { size: '1' }));
      await t.post(maps, map('c', { size: '1' }));
    },
  },
  {
    says: 'the reason of a validation is the code and reason of the refusal',
    steps: async t => {
      const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];
      const validations = reasons.map(reason => ({
        expression: `object.metadata.name != '${reason.toLowerCase()}'`,
        reason,
      }));
      await withPolicy(t, { validations });
      for (const reason of reasons) await t.post(await t.in('configmaps'), map(reason.toLowerCase()));
    },
  },
  {
    says: 'of several validations that do not hold the first is answered',
    steps: t =>
      bothSizes(t, {
        validations: [small({ message: 'one' }), small({ message: 'two', reason: 'Forbidden' })],
      }),
  },
  {
    says: 'a binding that only warns lets the request pass with a warning',
    steps: t =>
      bothSizes(t, { validations: [small({ message: 'too large' })] }, { validationActions: ['Warn', 'Audit'] }),
  },
  {
    says: 'a binding that only audits lets the request pass in silence',
    steps: t => bothSizes(t, { validations: [small()] }, { validationActions: ['Audit'] }),
  },
  {
    says: 'an expression that fails denies, or is passed over where the policy says so',
    steps: async t => {
      await withPolicy(t, { validations: [{ expression: "object.data.missing == 'x'" }] }, {}, 'strict');
      await t.post(await t.in('configmaps'), map('a', { size: '1' }));
    },
  },
  {
    says: 'an expression that fails is passed over where the failure policy is Ignore',
    steps: t => bothSizes(t, { failurePolicy: 'Ignore', validations: [{ expression: "object.data.missing == 'x'" }] }),
  },
  {
    says: 'a policy whose conditions do not hold has no say',
    steps: async t => {
      const matchConditions = [{ name: 'labelled', expression: "object.metadata.?labels.judged.orValue('') == 'yes'" }];
      await withPolicy(t, { matchConditions, validations: [{ expression: "object.metadata.name == 'good'" }] });
      await t.post(await t.in('configmaps'), map('a'));
      await t.post(await t.in('configmaps'), map('b', {}, { judged: 'yes' }));
    },
  },
  {
    says: 'a condition of a policy that fails denies the request',
    steps: async t => {
      const matchConditions = [{ name: 'labelled', expression: "object.metadata.labels.asked == 'yes'" }];
      await withPolicy(t, { matchConditions, validations: [{ expression: 'true' }] });
      await t.post(await t.in('configmaps'), map('a'));
    },
  },
  {
    says: 'variables are made of the objects and of earlier variables, and only when they are used',
    steps: t =>
      bothSizes(t, {
        variables: [
          { name: 'size', expression: 'int(object.data.size)' },
          { name: 'double', expression: 'variables.size * 2' },
          { name: 'broken', expression: 'object.data.missing' },
        ],
        validations: [
          { expression: 'variables.double < 10', messageExpression: "'double is ' + string(variables.double)" },
        ],
      }),
  },
  {
    says: 'a variable that fails fails the validation that uses it',
    steps: async t => {
      await withPolicy(t, {
        failurePolicy: 'Fail',
        variables: [{ name: 'broken', expression: 'object.data.missing' }],
        validations: [{ expression: "object.metadata.name != 'a' || variables.broken == 'x'" }],
      });
      await t.post(await t.in('configmaps'), map('a', { size: '1' }));
    },
  },
  {
    says: 'expressions see the request, the Namespace and who asks',
    steps: async t => {
      await withPolicy(t, {
        validations: [
          {
            expression: `request.userInfo.username != 'ann' || namespaceObject.metadata.name != '${t.ns}'`,
            messageExpression:
              "request.operation + ' of ' + request.resource.resource + ' by ' + request.userInfo.username",
          },
        ],
      });
      await t.post(await t.in('configmaps'), map('a'));
      await t.post(await t.in('configmaps'), map('b'), ANN);
    },
  },
  {
    says: 'expressions may ask what the user may do',
    steps: async t => {
      await withPolicy(t, {
        validations: [
          {
            expression: "authorizer.group('').resource('secrets').namespace('default').check('get').allowed()",
            message: 'reads no secrets',
          },
          { expression: "authorizer.requestResource.check('create').allowed()", message: 'creates nothing' },
          { expression: "authorizer.path('/healthz').check('get').reason() != 'x'" },
        ],
      });
      const role = { rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['create'] }] };
      const rbac = '/apis/rbac.authorization.k8s.io/v1';
      await written(t, await t.in('roles', rbac), { metadata: { name: 'maker' }, ...role });
      const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'maker' };
      const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'bob' }];
      await written(t, await t.in('rolebindings', rbac), { metadata: { name: 'maker' }, roleRef, subjects });
      await t.until(`${await t.in('rolebindings', rbac)}/maker`, binding => binding !== undefined);
      await t.post(await t.in('configmaps'), map('a'));
      await allowed(t, 'bob', { namespace: t.ns, verb: 'create', resource: 'configmaps' });
      await t.post(await t.in('configmaps'), map('b'), { as: { user: 'bob' } });
    },
  },
  {
    says: 'an update is judged with the old object, a delete with the old one alone',
    steps: async t => {
      const rules = [ruleFor(['UPDATE', 'DELETE'], ['configmaps'])];
      await withPolicy(t, {
        matchConstraints: { resourceRules: rules },
        validations: [
          { expression: 'object == null || oldObject.data.size == object.data.size', message: 'the size stays' },
          { expression: "request.operation != 'DELETE' || oldObject.data.size == '0'", message: 'only empty ones go' },
        ],
      });
      const maps = await t.in('configmaps');
      await t.post(maps, map('a', { size: '1' }));
      await t.patch(`${maps}/a`, 'merge-patch+json', { data: { size: '2' } });
      await t.delete(`${maps}/a`);
    },
  },
  {
    says: 'a policy without a binding, and a binding without a policy, have no say',
    steps: async t => {
      await t.in('configmaps');
      await written(t, POLICIES, policyOf(t.own('alone'), { validations: [{ expression: 'false' }] }));
      await written(t, BINDINGS, bindingOf(t, t.own('lost'), t.own('nowhere')));
      await policiesInEffect(t);
      await t.post(await t.in('configmaps'), map('a'));
    },
  },
  {
    says: 'a policy leaves out what it excludes, and a binding what it does not select',
    steps: async t => {
      const resourceRules = [ruleFor(['CREATE'], ['*'])];
      const excludeResourceRules = [ruleFor(['*'], ['secrets', 'serviceaccounts', 'events'])];
      await withPolicy(
        t,
        {
          matchConstraints: { resourceRules, excludeResourceRules },
          validations: [{ expression: "object.metadata.name.startsWith('marker')" }],
        },
        {
          matchResources: {
            namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': t.ns } },
            objectSelector: { matchLabels: { judged: 'yes' } },
          },
        },
      );
      await t.post(await t.in('configmaps'), map('a'));
      await t.post(await t.in('configmaps'), map('b', {}, { judged: 'yes' }));
      await t.post(await t.in('secrets'), { metadata: { name: 'c', labels: { judged: 'yes' } } });
    },
  },
  {
    says: 'a dry run is denied too',
    steps: async t => {
      await withPolicy(t, { validations: [small()] });
      await t.post(`${await t.in('configmaps')}?dryRun=All`, map('a', { size: '9' }));
    },
  },
  {
    says: 'annotations for the audit change nothing that the client sees',
    steps: t =>
      bothSizes(t, {
        validations: [small()],
        auditAnnotations: [{ key: 'size', valueExpression: "'size ' + object.data.size" }],
      }),
  },
];
