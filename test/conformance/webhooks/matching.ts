// Which requests a webhook is asked about: rules, selectors, equivalent kinds and conditions.

import type { Case } from '../frame/case.ts';
import { Hook, ruleFor } from '../frame/webhook.ts';
import { ANN } from './reviews.ts';

type Trial = Parameters<Case['steps']>[0];

const map = (name: string, labels: Record<string, string> = {}): Record<string, unknown> => ({
  metadata: { name, labels },
});

async function withConditions(
  t: Trial,
  conditions: readonly string[],
  webhook: Record<string, unknown> = {},
): Promise<void> {
  const hook = await Hook.open(t);
  const matchConditions = conditions.map((expression, index) => ({ name: `c${index}`, expression }));
  await hook.install('validating', [{ matchConditions, ...webhook }]);
  await t.post(await t.in('configmaps'), map('a', { asked: 'yes' }), ANN);
  await t.post(await t.in('configmaps'), map('b'), ANN);
  hook.askedAt();
}

export const matching: readonly Case[] = [
  {
    says: 'a webhook is asked about its own operations and resources only',
    steps: async t => {
      const hook = await Hook.open(t);
      await hook.install('validating', [
        { rules: [ruleFor(['UPDATE', 'DELETE'], ['configmaps']), ruleFor(['*'], ['secrets'])] },
      ]);
      const [maps, secrets] = [await t.in('configmaps'), await t.in('secrets')];
      await t.quietly({ method: 'POST', path: maps, body: map('m') });
      await t.quietly({ method: 'POST', path: secrets, body: map('s') });
      await t.quietly({ method: 'DELETE', path: `${maps}/m` });
      await t.quietly({ method: 'DELETE', path: `${secrets}/s` });
      hook.askedAt();
    },
  },
  {
    says: 'the object selector takes an object whose new or old labels match',
    steps: async t => {
      const hook = await Hook.open(t);
      const objectSelector = { matchExpressions: [{ key: 'mine', operator: 'In', values: ['yes'] }] };
      await hook.install('validating', [{ objectSelector, rules: [ruleFor(['*'], ['configmaps'])] }]);
      const maps = await t.in('configmaps');
      const label = (name: string, mine: string): Promise<unknown> =>
        t.quietly({
          method: 'PATCH',
          path: `${maps}/${name}`,
          body: { metadata: { labels: { mine } } },
          headers: { 'content-type': 'application/merge-patch+json' },
        });
      await t.quietly({ method: 'POST', path: maps, body: map('a') });
      await t.quietly({ method: 'POST', path: maps, body: map('leaves', { mine: 'yes' }) });
      await label('leaves', 'no');
      await label('leaves', 'still no');
      await t.quietly({ method: 'DELETE', path: `${maps}/leaves` });
      await t.quietly({ method: 'POST', path: maps, body: map('enters', { mine: 'no' }) });
      await label('enters', 'yes');
      await t.quietly({ method: 'DELETE', path: `${maps}/enters` });
      hook.askedAbout();
    },
  },
  {
    says: 'the namespace selector looks at the labels of the Namespace as they are now',
    steps: async t => {
      const hook = await Hook.open(t);
      const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': t.ns, watched: 'yes' } };
      await hook.install('validating', [{ namespaceSelector }]);
      const maps = await t.in('configmaps');
      await t.post(maps, map('a'));
      hook.askedAt();
      await t.quietly({
        method: 'PATCH',
        path: `/api/v1/namespaces/${t.ns}`,
        body: { metadata: { labels: { watched: 'yes' } } },
        headers: { 'content-type': 'application/merge-patch+json' },
      });
      await hook.inEffect('validating');
      await t.quietly({ method: 'POST', path: maps, body: map('b') });
      hook.askedAt();
    },
  },
  {
    says: 'the namespace selector looks at a Namespace itself when that is written, and takes what has none',
    steps: async t => {
      const hook = await Hook.open(t);
      const mine = t.own('made');
      const rules = [ruleFor(['CREATE'], ['namespaces', 'priorityclasses'], ['', 'scheduling.k8s.io'])];
      const objectSelector = { matchLabels: { mine } };
      await hook.install('validating', [
        {
          rules,
          objectSelector,
          namespaceSelector: { matchLabels: { mine } },
          clientConfig: hook.clientConfig('/mine'),
        },
        {
          rules,
          objectSelector,
          namespaceSelector: { matchLabels: { no: 'body' } },
          clientConfig: hook.clientConfig('/no'),
        },
      ]);
      t.after(() => t.quietly({ method: 'DELETE', path: `/api/v1/namespaces/${mine}` }));
      await t.quietly({ method: 'POST', path: '/api/v1/namespaces', body: map(mine, { mine }) });
      hook.askedAt();
      const classes = '/apis/scheduling.k8s.io/v1/priorityclasses';
      t.after(() => t.quietly({ method: 'DELETE', path: `${classes}/${mine}` }));
      await t.quietly({ method: 'POST', path: classes, body: { ...map(mine, { mine }), value: 1 } });
      hook.askedInAnyOrder();
    },
  },
  {
    says: 'the scope of a rule tells what has a Namespace from what has none',
    steps: async t => {
      const hook = await Hook.open(t);
      const mine = t.own('made');
      const rule = (scope: string): unknown => ({
        ...ruleFor(['CREATE'], ['namespaces', 'configmaps']),
        scope,
      });
      const selectors = { namespaceSelector: {}, objectSelector: { matchLabels: { mine } } };
      await hook.install(
        'validating',
        ['Cluster', 'Namespaced', '*'].map(scope => ({
          ...selectors,
          rules: [rule(scope)],
          clientConfig: hook.clientConfig(`/${scope === '*' ? 'any' : scope.toLowerCase()}`),
        })),
      );
      t.after(() => t.quietly({ method: 'DELETE', path: `/api/v1/namespaces/${mine}` }));
      await t.quietly({ method: 'POST', path: '/api/v1/namespaces', body: map(mine, { mine }) });
      hook.askedInAnyOrder();
      await t.quietly({ method: 'POST', path: await t.in('configmaps'), body: map('a', { mine }) });
      hook.askedInAnyOrder();
    },
  },
  {
    says: 'webhooks are not asked about webhook configurations and policies',
    steps: async t => {
      const hook = await Hook.open(t);
      const mine = t.own('other');
      const group = 'admissionregistration.k8s.io';
      await hook.install('validating', [
        {
          rules: [ruleFor(['*'], ['*'], [group])],
          namespaceSelector: {},
          objectSelector: { matchLabels: { mine } },
        },
      ]);
      const configuration = hook.configuration('mutating', [{}], 'other');
      await hook.write('mutating', { ...configuration, metadata: { name: mine, labels: { mine } } });
      hook.askedAt();
    },
  },
  {
    says: 'a webhook for core Events is asked, as such, about those of events.k8s.io, unless it is exact',
    steps: async t => {
      const hook = await Hook.open(t);
      const rules = [ruleFor(['CREATE'], ['events'])];
      await hook.install('validating', [
        { rules, clientConfig: hook.clientConfig('/equivalent') },
        { rules, matchPolicy: 'Exact', clientConfig: hook.clientConfig('/exact') },
      ]);
      const body = {
        metadata: { name: 'a' },
        eventTime: '2030-01-01T00:00:00.000000Z',
        reportingController: 'c.example.com/x',
        reportingInstance: 'i',
        action: 'Act',
        reason: 'Because',
        type: 'Normal',
        note: 'said',
        regarding: { kind: 'ConfigMap', namespace: t.ns, name: 'a' },
      };
      const { status } = await t.quietly({
        method: 'POST',
        path: await t.in('events', '/apis/events.k8s.io/v1'),
        body,
        ...ANN,
      });
      t.note('status', status);
      hook.told();
    },
  },
  {
    says: 'a webhook whose conditions all hold is asked',
    steps: t => withConditions(t, ["object.metadata.?labels['asked'].orValue('') == 'yes'", 'true']),
  },
  {
    says: 'conditions see the request, the user and the absence of an old object',
    steps: t =>
      withConditions(t, [
        "request.userInfo.username == 'ann' && 'system:masters' in request.userInfo.groups",
        "request.operation == 'CREATE' && request.resource.resource == 'configmaps' && request.kind.kind == 'ConfigMap'",
        'oldObject == null && request.dryRun == false && request.namespace == object.metadata.namespace',
        "request.options.kind == 'CreateOptions'",
      ]),
  },
  {
    says: 'conditions may ask whether the user may do something',
    steps: t =>
      withConditions(t, [
        "authorizer.group('').resource('configmaps').namespace('default').check('delete').allowed()",
        "!authorizer.serviceAccount('default', 'nobody').group('').resource('secrets').check('get').allowed()",
      ]),
  },
  {
    says: 'a condition that fails fails the request',
    steps: t => withConditions(t, ["object.metadata.labels['asked'] == 'yes'"]),
  },
  {
    says: 'a condition that fails is passed over when the policy is Ignore',
    steps: t => withConditions(t, ["object.metadata.labels['asked'] == 'yes'"], { failurePolicy: 'Ignore' }),
  },
  {
    says: 'a condition that fails does not matter when another one does not hold',
    steps: t => withConditions(t, ["object.data.nothing == 'x'", 'false']),
  },
];
