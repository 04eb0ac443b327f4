// Webhook configurations as objects: what is filled in, and what is refused.

import type { Case } from '../frame/case.ts';
import { base64, pathOf, ruleFor } from '../frame/webhook.ts';

type Trial = Parameters<Case['steps']>[0];

const GOOD = {
  name: 'hook.example.com',
  clientConfig: { url: 'https://example.com/x' },
  rules: [ruleFor(['CREATE'], ['configmaps'])],
  namespaceSelector: { matchLabels: { nobody: 'has-this' } },
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
};

/** Each set of changes by itself, as a dry run. */
async function refused(t: Trial, ...changes: readonly Record<string, unknown>[]): Promise<void> {
  for (const change of changes) {
    const body = { metadata: { name: t.own('hooks') }, webhooks: [{ ...GOOD, ...change }] };
    await t.post(`${pathOf('validating')}?dryRun=All`, body);
  }
}

async function written(t: Trial, kind: 'mutating' | 'validating', webhooks: readonly unknown[]): Promise<string> {
  const name = t.own('hooks');
  t.after(() => t.quietly({ method: 'DELETE', path: `${pathOf(kind)}/${name}` }));
  await t.post(pathOf(kind), { metadata: { name }, webhooks });
  return `${pathOf(kind)}/${name}`;
}

export const configurations: readonly Case[] = [
  {
    says: 'a validating configuration is filled in',
    steps: async t => {
      const path = await written(t, 'validating', [
        {
          name: 'hook.example.com',
          clientConfig: { service: { namespace: 'n', name: 's' } },
          rules: [ruleFor(['CREATE'], ['configmaps'], ['nobody.example.com'])],
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
        },
      ]);
      await t.get(path);
    },
  },
  {
    says: 'a mutating configuration is filled in, and its generation counts its changes',
    steps: async t => {
      const path = await written(t, 'mutating', [GOOD]);
      await t.patch(path, 'merge-patch+json', { metadata: { labels: { a: 'b' } } });
      await t.patch(path, 'strategic-merge-patch+json', {
        webhooks: [{ name: 'hook.example.com', timeoutSeconds: 3 }],
      });
    },
  },
  {
    says: 'webhooks are merged by their names in a strategic patch and in an apply',
    steps: async t => {
      const path = await written(t, 'mutating', [GOOD, { ...GOOD, name: 'two.example.com' }]);
      const webhooks = [{ name: 'two.example.com', failurePolicy: 'Ignore' }];
      await t.patch(path, 'strategic-merge-patch+json', { webhooks });
      const body = {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'MutatingWebhookConfiguration',
        metadata: { name: t.own('hooks') },
        webhooks: [{ ...GOOD, name: 'three.example.com' }],
      };
      await t.patch(`${path}?fieldManager=me`, 'apply-patch+yaml', body);
    },
  },
  {
    says: 'a webhook needs side effects, versions of its review and a client',
    steps: async t => {
      const { clientConfig: _, sideEffects: __, admissionReviewVersions: ___, ...bare } = GOOD;
      await t.post(`${pathOf('mutating')}?dryRun=All`, { metadata: { name: t.own('hooks') }, webhooks: [bare] });
      await t.post(`${pathOf('validating')}?dryRun=All`, { metadata: { name: t.own('hooks') }, webhooks: [bare] });
      await t.post(`${pathOf('validating')}?dryRun=All`, { metadata: { name: t.own('hooks') }, webhooks: [{}] });
    },
  },
  {
    says: 'side effects, policies and scopes outside of their words are refused',
    steps: t =>
      refused(
        t,
        { sideEffects: 'Some' },
        { sideEffects: 'Never' },
        { failurePolicy: 'Maybe', matchPolicy: 'Similar' },
        { rules: [{ ...ruleFor(['CREATE'], ['configmaps']), scope: 'Everywhere' }] },
        { rules: [ruleFor(['create', 'WATCH'], ['configmaps'])] },
      ),
  },
  {
    says: 'a reinvocation policy outside of its words is refused',
    steps: t =>
      t
        .post(`${pathOf('mutating')}?dryRun=All`, {
          metadata: { name: t.own('hooks') },
          webhooks: [{ ...GOOD, reinvocationPolicy: 'Always' }],
        })
        .then(() => undefined),
  },
  {
    says: 'the name of a webhook is a domain name of three parts, and unique',
    steps: async t => {
      await refused(t, { name: '' }, { name: 'short' }, { name: 'two.parts' }, { name: 'Not.A.Name!' });
      await t.post(`${pathOf('validating')}?dryRun=All`, {
        metadata: { name: t.own('hooks') },
        webhooks: [GOOD, GOOD],
      });
    },
  },
  {
    says: 'the url of a webhook is https, with a host, and nothing but a path',
    steps: t =>
      refused(
        t,
        { clientConfig: { url: 'http://example.com/x' } },
        { clientConfig: { url: 'https://' } },
        { clientConfig: { url: 'https://user@example.com/x?a=b#c' } },
        { clientConfig: { url: ':' } },
        { clientConfig: { url: '' } },
      ),
  },
  {
    says: 'a webhook has a url or a service, not both and not neither',
    steps: t =>
      refused(
        t,
        { clientConfig: {} },
        { clientConfig: { url: 'https://example.com', service: { namespace: 'n', name: 's' } } },
      ),
  },
  {
    says: 'the service of a webhook has a name, a namespace, a port and a clean path',
    steps: t =>
      refused(
        t,
        { clientConfig: { service: { namespace: '', name: '' } } },
        { clientConfig: { service: { namespace: 'n', name: 's', port: 70000 } } },
        { clientConfig: { service: { namespace: 'n', name: 's', path: 'x' } } },
        { clientConfig: { service: { namespace: 'n', name: 's', path: '/a//b' } } },
        { clientConfig: { service: { namespace: 'n', name: 's', path: '/A_b/' } } },
      ),
  },
  {
    says: 'a bundle of authorities is base64 and holds certificates',
    steps: t =>
      refused(
        t,
        { clientConfig: { url: 'https://example.com', caBundle: '!' } },
        { clientConfig: { url: 'https://example.com', caBundle: base64('no certificate') } },
      ),
  },
  {
    says: 'a timeout is between 1 and 30 seconds',
    steps: t => refused(t, { timeoutSeconds: 0 }, { timeoutSeconds: 31 }, { timeoutSeconds: -1 }),
  },
  {
    says: 'a rule names operations, groups, versions and resources, and a star stands alone',
    steps: t =>
      refused(
        t,
        { rules: [{}] },
        { rules: [ruleFor(['*', 'CREATE'], ['*', 'pods'], ['*', ''], ['*', 'v1'])] },
        { rules: [ruleFor(['CREATE'], ['pods', 'pods/*', 'pods/status'])] },
        { rules: [ruleFor(['CREATE'], ['*/*', 'pods'])] },
        { rules: [ruleFor(['CREATE'], ['*/status', 'pods/status'])] },
        { rules: [ruleFor(['CREATE'], ['', 'a/b/c'], [''], [''])] },
      ),
  },
  {
    says: 'versions of reviews are names, told once, and one of them is known',
    steps: t =>
      refused(
        t,
        { admissionReviewVersions: [] },
        { admissionReviewVersions: ['v9'] },
        { admissionReviewVersions: ['v1', 'v1'] },
        { admissionReviewVersions: ['V 1', 'v1'] },
        { admissionReviewVersions: ['v1beta1'] },
      ),
  },
  {
    says: 'selectors of a webhook are checked',
    steps: t =>
      refused(
        t,
        { namespaceSelector: { matchLabels: { 'not a label': 'x' } } },
        { objectSelector: { matchExpressions: [{ key: 'a', operator: 'Near', values: ['b'] }] } },
        { objectSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] } },
        { objectSelector: { matchExpressions: [{ key: 'a', operator: 'Exists', values: ['b'] }] } },
      ),
  },
  {
    says: 'conditions have a name and an expression that answers yes or no',
    steps: t =>
      refused(
        t,
        { matchConditions: [{ name: '', expression: '' }] },
        { matchConditions: [{ name: 'not a name', expression: 'true' }] },
        {
          matchConditions: [
            { name: 'a', expression: 'true' },
            { name: 'a', expression: 'false' },
          ],
        },
        { matchConditions: [{ name: 'a', expression: "'text'" }] },
        { matchConditions: [{ name: 'a', expression: 'params.x == 1' }] },
      ),
  },
  {
    says: 'a webhook has at most 64 conditions',
    steps: t =>
      refused(t, {
        matchConditions: Array.from({ length: 65 }, (_, index) => ({ name: `c${index}`, expression: 'true' })),
      }),
  },
];
