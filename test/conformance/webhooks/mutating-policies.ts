// MutatingAdmissionPolicy: what expressions make of an object before it is checked.

import type { Case } from '../frame/case.ts';
import { MUTATING_POLICIES, withMutatingPolicy } from '../frame/policy.ts';
import { Hook, ruleFor } from '../frame/webhook.ts';

type Trial = Parameters<Case['steps']>[0];

const patch = (expression: string): unknown => ({ patchType: 'JSONPatch', jsonPatch: { expression } });
const apply = (expression: string): unknown => ({
  patchType: 'ApplyConfiguration',
  applyConfiguration: { expression },
});
/** Markers are left alone. */
const ON_A = { matchConditions: [{ name: 'a', expression: "object.metadata.name == 'a'" }] };

async function made(t: Trial, spec: Record<string, unknown>): Promise<void> {
  await withMutatingPolicy(t, { ...ON_A, ...spec });
  await t.post(await t.in('configmaps'), { metadata: { name: 'a', labels: { own: 'yes' } }, data: { size: '1' } });
}

export const mutatingPolicies: readonly Case[] = [
  {
    says: 'a mutating policy patches with the operations that its expression makes',
    steps: t =>
      made(t, {
        mutations: [
          patch(`[
            JSONPatch{op: "add", path: "/metadata/labels/" + jsonpatch.escapeKey("example.com/made"), value: "yes"},
            JSONPatch{op: "replace", path: "/data/size", value: string(int(object.data.size) + 1)}
          ]`),
        ],
      }),
  },
  {
    says: 'a mutating policy applies what its expression makes over the object',
    steps: t =>
      made(t, {
        mutations: [
          apply('Object{metadata: Object.metadata{labels: {"made": "yes"}}, data: {"more": object.data.size}}'),
        ],
      }),
  },
  {
    says: 'the mutations of a policy come one after the other, and see what the one before made',
    steps: t =>
      made(t, {
        variables: [{ name: 'next', expression: 'string(int(object.data.size) + 1)' }],
        mutations: [
          apply('Object{data: {"size": variables.next}}'),
          patch('[JSONPatch{op: "add", path: "/data/seen", value: object.data.size}]'),
        ],
      }),
  },
  {
    says: 'lists with keys are merged by them in what a policy applies',
    steps: async t => {
      await withMutatingPolicy(t, {
        matchConstraints: { resourceRules: [ruleFor(['CREATE'], ['configmaps', 'pods'])] },
        matchConditions: [{ name: 'pods', expression: "request.resource.resource == 'pods'" }],
        mutations: [
          apply(`Object{spec: Object.spec{containers: object.spec.containers.map(c,
            Object.spec.containers{name: c.name, imagePullPolicy: "Never"})}}`),
        ],
      });
      const containers = ['one', 'two'].map(name => ({ name, image: `${name}:1` }));
      const body = { metadata: { name: 'a' }, spec: { automountServiceAccountToken: false, containers } };
      const { json } = await t.quietly({ method: 'POST', path: await t.in('pods'), body });
      t.note('containers', json.spec?.containers ?? json);
    },
  },
  {
    says: 'a mutation that fails refuses the request',
    steps: t => made(t, { mutations: [apply('Object{data: {"x": object.data.missing}}')] }),
  },
  {
    says: 'a mutation that fails is passed over where the failure policy is Ignore',
    steps: t => made(t, { failurePolicy: 'Ignore', mutations: [apply('Object{data: {"x": object.data.missing}}')] }),
  },
  {
    says: 'a patch of a policy that does not fit refuses the request',
    steps: t => made(t, { mutations: [patch('[JSONPatch{op: "remove", path: "/data/nothing"}]')] }),
  },
  {
    says: 'webhooks see what policies made',
    steps: async t => {
      const hook = await Hook.open(t);
      await withMutatingPolicy(t, {
        ...ON_A,
        mutations: [apply('Object{metadata: Object.metadata{labels: {"made": "yes"}}}')],
      });
      await hook.install('mutating', [{}]);
      await t.post(await t.in('configmaps'), { metadata: { name: 'a', labels: { own: 'yes' } } });
      hook.labelsAt();
    },
  },
  {
    says: 'a mutating policy is filled in, and refused when it has nothing to change or says it wrongly',
    steps: async t => {
      const matchConstraints = { resourceRules: [ruleFor(['CREATE'], ['configmaps'])] };
      const mutations = [apply('Object{}')];
      const specs: readonly Record<string, unknown>[] = [
        { mutations },
        { mutations: [] },
        { mutations, reinvocationPolicy: undefined },
        { mutations, reinvocationPolicy: 'Always' },
        { mutations: [{ patchType: 'JSONPatch' }] },
        { mutations: [{ patchType: 'MergePatch', jsonPatch: { expression: '[]' } }] },
        { mutations: [apply('nothing')] },
      ];
      for (const spec of specs) {
        const body = {
          metadata: { name: t.own('policy') },
          spec: { matchConstraints, reinvocationPolicy: 'Never', ...spec },
        };
        await t.post(`${MUTATING_POLICIES}?dryRun=All`, body);
      }
    },
  },
];
