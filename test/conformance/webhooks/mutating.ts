// Mutating webhooks: what their patches do, in which order they come, and when they are asked again.

import type { Case } from '../frame/case.ts';
import { base64, Hook, patching, type Respond, responding, ruleFor } from '../frame/webhook.ts';

const label = (key: string, value = 'yes'): unknown => ({ op: 'add', path: `/metadata/labels/${key}`, value });
const LABELLED = { metadata: { name: 'a', labels: { own: 'yes' } } };

/** Answers with this patch as it is. */
const withPatch = (patch: string, patchType: string | undefined): Respond =>
  responding(() => ({ allowed: true, patch, ...(patchType === undefined ? {} : { patchType }) }));

async function patched(t: Parameters<Case['steps']>[0], respond: Respond): Promise<void> {
  const hook = await Hook.open(t);
  hook.on('/0', respond);
  await hook.install('mutating', [{}]);
  await t.post(await t.in('configmaps'), LABELLED);
}

export const mutating: readonly Case[] = [
  {
    says: 'what a webhook patches is answered and stored, and owned by nobody',
    steps: async t => {
      const hook = await Hook.open(t);
      hook.on('/0', patching(label('added'), { op: 'add', path: '/data', value: { made: 'by the webhook' } }));
      await hook.install('mutating', [{}]);
      const maps = await t.in('configmaps');
      await t.post(`${maps}?fieldManager=me`, LABELLED);
      await t.get(`${maps}/a`);
    },
  },
  {
    says: 'what a webhook patches on an update is stored, and one that undoes the change leaves the version',
    steps: async t => {
      const hook = await Hook.open(t);
      const maps = await t.in('configmaps');
      await t.post(maps, { ...LABELLED, data: { key: 'value' } });
      hook.on('/0', patching({ op: 'replace', path: '/data/key', value: 'value' }));
      await hook.install('mutating', [{ rules: [ruleFor(['UPDATE'], ['configmaps'])] }]);
      await t.patch(`${maps}/a`, 'merge-patch+json', { data: { key: 'new' } });
      await t.patch(`${maps}/a`, 'merge-patch+json', { data: { more: 'new' } });
    },
  },
  {
    says: 'an object that a webhook made invalid is refused as the client had sent it so',
    steps: t => patched(t, patching({ op: 'add', path: '/data', value: { 'not a key': '' } })),
  },
  {
    says: 'a patch of unknown fields and wrong types is read as the object that it makes',
    steps: async t => {
      const hook = await Hook.open(t);
      hook.on('/0', patching({ op: 'add', path: '/nonsense', value: 1 }));
      hook.on('/1', patching({ op: 'add', path: '/data', value: 'no map' }));
      await hook.install('mutating', [{}, { rules: [ruleFor(['CREATE'], ['secrets'])] }]);
      await t.post(await t.in('configmaps'), LABELLED);
      await t.post(await t.in('secrets'), LABELLED);
    },
  },
  {
    says: 'a webhook that changes the name makes another object',
    steps: t => patched(t, patching({ op: 'replace', path: '/metadata/name', value: 'b' })),
  },
  {
    says: 'a Pod that a webhook made is given its defaults',
    steps: async t => {
      const hook = await Hook.open(t);
      hook.on('/0', patching({ op: 'add', path: '/spec/containers/-', value: { name: 'side', image: 'car' } }));
      await hook.install('mutating', [{ rules: [ruleFor(['CREATE'], ['pods'])] }]);
      const spec = { automountServiceAccountToken: false, containers: [{ name: 'c', image: 'i' }] };
      const { json } = await t.quietly({
        method: 'POST',
        path: await t.in('pods'),
        body: { metadata: { name: 'a' }, spec },
      });
      t.note('containers', json.spec.containers);
    },
  },
  { says: 'a patch that is no JSON is an internal error', steps: t => patched(t, withPatch('!', 'JSONPatch')) },
  {
    says: 'a patch that is no list of operations is an internal error',
    steps: t => patched(t, withPatch(base64('{"op":"add"}'), 'JSONPatch')),
  },
  {
    says: 'a patch whose test fails is an internal error',
    steps: t => patched(t, patching({ op: 'test', path: '/metadata/name', value: 'other' })),
  },
  {
    says: 'a patch of a path that is not there is an internal error',
    steps: t => patched(t, patching({ op: 'remove', path: '/data/nothing' })),
  },
  { says: 'a patch without its type is refused', steps: t => patched(t, withPatch(base64('[]'), undefined)) },
  { says: 'a patch of an unknown type is refused', steps: t => patched(t, withPatch(base64('[]'), 'MergePatch')) },
  {
    says: 'a patch type without a patch is refused',
    steps: t =>
      patched(
        t,
        responding(() => ({ allowed: true, patchType: 'JSONPatch' })),
      ),
  },
  {
    says: 'webhooks are asked in the order of their configurations, each with what the one before made',
    steps: async t => {
      const hook = await Hook.open(t);
      hook.on('/first', patching(label('first')));
      hook.on('/second', patching(label('second')));
      await hook.install('mutating', [{ clientConfig: hook.clientConfig('/third') }], 'b');
      const two = ['/first', '/second'].map(path => ({ clientConfig: hook.clientConfig(path) }));
      await hook.install('mutating', two, 'a');
      await t.post(await t.in('configmaps'), LABELLED);
      hook.labelsAt();
    },
  },
  {
    says: 'a webhook that asked for it is asked again when a later one changed the object',
    steps: async t => {
      const hook = await Hook.open(t);
      hook.on('/1', patching(label('later')));
      await hook.install('mutating', [{ reinvocationPolicy: 'IfNeeded' }, {}]);
      await t.post(await t.in('configmaps'), LABELLED);
      hook.labelsAt();
    },
  },
  {
    says: 'a webhook is not asked again when nothing changed since, nor when it did not ask for it',
    steps: async t => {
      const hook = await Hook.open(t);
      hook.on('/0', patching(label('first')));
      hook.on('/1', patching(label('own')));
      hook.on('/2', patching(label('third')));
      await hook.install('mutating', [{}, { reinvocationPolicy: 'IfNeeded' }, { reinvocationPolicy: 'Never' }]);
      await t.post(await t.in('configmaps'), LABELLED);
      hook.labelsAt();
    },
  },
  {
    says: 'a refusal of a mutating webhook ends the request before later ones are asked',
    steps: async t => {
      const hook = await Hook.open(t);
      hook.on(
        '/0',
        responding(() => ({ allowed: false, status: { message: 'no', code: 418, reason: 'Teapot' } })),
      );
      await hook.install('mutating', [{}, {}]);
      await t.post(await t.in('configmaps'), LABELLED);
      hook.askedAt();
    },
  },
  {
    says: 'a mutating webhook is asked before what is wrong with the object is refused',
    steps: async t => {
      const hook = await Hook.open(t);
      hook.on('/mutating', patching({ op: 'replace', path: '/data', value: {} }));
      await hook.install('mutating', [{ clientConfig: hook.clientConfig('/mutating') }], 'm');
      await hook.install('validating', [{ clientConfig: hook.clientConfig('/validating') }], 'v');
      await t.post(await t.in('configmaps'), { metadata: { name: 'a' }, data: { 'not a key': '' } });
      hook.askedAt();
      await t.post(await t.in('configmaps'), { metadata: { name: 'Not A Name' }, data: {} });
      hook.askedAt();
    },
  },
  {
    says: 'a patch in answer to a delete is refused',
    steps: async t => {
      const hook = await Hook.open(t);
      const maps = await t.in('configmaps');
      await t.post(maps, LABELLED);
      hook.on('/0', patching(label('x')));
      await hook.install('mutating', [{ rules: [ruleFor(['DELETE'], ['configmaps'])] }]);
      await t.delete(`${maps}/a`);
      await t.get(`${maps}/a`);
    },
  },
];
