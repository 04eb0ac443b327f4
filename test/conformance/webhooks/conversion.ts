// Custom resources whose versions a webhook converts: when it is asked, what it is told, and what it may answer.

import type { Case } from '../frame/case.ts';
import { Hook, type Respond } from '../frame/webhook.ts';
import { converting, definedWith, type Thing } from './definition.ts';

type Trial = Parameters<Case['steps']>[0];

async function aThing(t: Trial, respond: Respond = converting()): Promise<Thing> {
  const hook = await Hook.open(t);
  hook.on('/convert', respond);
  return definedWith(t, hook, {
    strategy: 'Webhook',
    webhook: { clientConfig: hook.clientConfig('/convert'), conversionReviewVersions: ['v1'] },
  });
}

/** A thing that is stored as v1, and then read as v2 with this answer. */
async function readWith(t: Trial, respond: Respond): Promise<void> {
  const thing = await aThing(t, respond);
  await t.quietly({ method: 'POST', path: thing.v1, body: thing.body('v1', 'a', { size: 1 }) });
  await t.get(`${thing.v2}/a`);
}

const changing = (change: (object: Record<string, unknown>) => unknown): Respond => converting(change);

export const conversion: readonly Case[] = [
  {
    says: 'an object that is stored in another version is converted when it is read',
    steps: async t => {
      const thing = await aThing(t);
      await t.post(thing.v1, thing.body('v1', 'a', { size: 1 }));
      await t.get(`${thing.v2}/a`);
      thing.hook.toldFirst();
    },
  },
  {
    says: 'an object that is written in another version is converted before it is stored',
    steps: async t => {
      const thing = await aThing(t);
      await t.post(thing.v2, thing.body('v2', 'a', { count: 1 }));
      // What else is converted meanwhile is chance: the answers show what was.
      await t.get(`${thing.v1}/a`);
    },
  },
  {
    says: 'a list is converted at once, and only what needs it',
    steps: async t => {
      const thing = await aThing(t);
      await t.post(thing.v1, thing.body('v1', 'a', { size: 1 }));
      await t.post(thing.v1, thing.body('v1', 'b', { size: 2 }));
      await t.get(thing.v2);
      thing.hook.conversions();
      await t.get(thing.v1);
      thing.hook.conversions();
    },
  },
  {
    says: 'a watch tells what changes in its own version',
    steps: async t => {
      const thing = await aThing(t);
      const { json } = await t.post(thing.v1, thing.body('v1', 'a', { size: 1 }));
      const watch = await t.watch(`${thing.v2}?watch=1&resourceVersion=${json.metadata.resourceVersion}`);
      await t.patch(`${thing.v1}/a`, 'merge-patch+json', { spec: { size: 2 } });
      await t.delete(`${thing.v1}/a`);
      await watch.frames(2);
    },
  },
  {
    says: 'a patch and an update in another version change the stored one',
    steps: async t => {
      const thing = await aThing(t);
      await t.post(thing.v1, thing.body('v1', 'a', { size: 1 }));
      const path = `${thing.v2}/a`;
      const headers = { 'content-type': 'application/merge-patch+json' };
      const { json } = await t.quietly({ method: 'PATCH', path, body: { spec: { count: 2 } }, headers });
      t.note('patched', [json.apiVersion, json.metadata.generation, json.spec]);
      const next = await t.quietly({ method: 'PUT', path, body: { ...json, spec: { count: 3 } } });
      t.note('updated', [next.json.apiVersion, next.json.metadata.generation, next.json.spec]);
      const stored = await t.quietly({ method: 'GET', path: `${thing.v1}/a` });
      t.note('stored', [stored.json.apiVersion, stored.json.metadata.generation, stored.json.spec]);
    },
  },
  {
    says: 'a write in another version that changes nothing leaves the version of the object',
    steps: async t => {
      const thing = await aThing(t);
      await t.post(thing.v1, thing.body('v1', 'a', { size: 1 }));
      await t.patch(`${thing.v2}/a`, 'merge-patch+json', { spec: { count: 1 } });
    },
  },
  {
    says: 'an apply in another version is owned in that version',
    steps: async t => {
      const thing = await aThing(t);
      await t.patch(`${thing.v2}/a?fieldManager=me`, 'apply-patch+yaml', thing.body('v2', 'a', { count: 1 }));
      await t.get(`${thing.v1}/a`);
      await t.patch(`${thing.v2}/a?fieldManager=me`, 'apply-patch+yaml', thing.body('v2', 'a', { count: 2 }));
    },
  },
  {
    says: 'a delete in another version answers that it is done, and shows what waits in that version',
    steps: async t => {
      const thing = await aThing(t);
      const body = thing.body('v1', 'a', { size: 1 });
      await t.post(thing.v1, { ...body, metadata: { name: 'a', finalizers: ['example.com/wait'] } });
      await t.delete(`${thing.v2}/a`);
      await t.patch(`${thing.v2}/a`, 'merge-patch+json', { metadata: { finalizers: null } });
      await t.get(`${thing.v1}/a`);
    },
  },
  {
    says: 'what is refused in the version that is written is not converted',
    steps: async t => {
      const thing = await aThing(t);
      await t.post(thing.v2, thing.body('v2', 'a', { count: -1 }));
      await t.post(thing.v2, thing.body('v2', 'b', { count: 'many' }));
      thing.hook.conversions();
    },
  },
  {
    says: 'an object keeps its stored version until it is written after the storage version has changed',
    steps: async t => {
      const thing = await aThing(t);
      await t.post(thing.v1, thing.body('v1', 'a', { size: 1 }));
      await t.post(thing.v1, thing.body('v1', 'b', { size: 2 }));
      const stored = await thing.storeAs('v2');
      t.note('stored versions', stored);
      await t.patch(`${thing.v1}/a`, 'merge-patch+json', { spec: { size: 3 } });
      await t.get(thing.v2);
      await t.get(thing.v1);
    },
  },
  {
    says: 'without a webhook only the version of an object changes, and unknown fields go',
    steps: async t => {
      const hook = await Hook.open(t);
      const thing = await definedWith(t, hook, { strategy: 'None' });
      await t.post(thing.v1, thing.body('v1', 'a', { size: 1 }));
      await t.get(`${thing.v2}/a`);
      await t.get(`${thing.v1}/a`);
    },
  },
  {
    says: 'a converter that refuses says why',
    steps: t =>
      readWith(t, ({ request }) => ({
        body: {
          apiVersion: 'apiextensions.k8s.io/v1',
          kind: 'ConversionReview',
          response: { uid: request.uid, result: { status: 'Failure', message: 'too hard' } },
        },
      })),
  },
  {
    says: 'a converter that answers fewer objects fails the request',
    steps: t =>
      readWith(t, ({ request }) => ({
        body: {
          apiVersion: 'apiextensions.k8s.io/v1',
          kind: 'ConversionReview',
          response: { uid: request.uid, result: { status: 'Success' }, convertedObjects: [] },
        },
      })),
  },
  {
    says: 'a converter that answers another uid fails the request',
    steps: t =>
      readWith(t, () => ({
        body: {
          apiVersion: 'apiextensions.k8s.io/v1',
          kind: 'ConversionReview',
          response: { uid: 'other', result: { status: 'Success' }, convertedObjects: [] },
        },
      })),
  },
  {
    says: 'a converter that answers another version fails the request',
    steps: t =>
      readWith(
        t,
        changing(object => ({ ...object, apiVersion: `${String(object.apiVersion)}beta9` })),
      ),
  },
  {
    says: 'a converter may change labels and annotations, and nothing else of the metadata',
    steps: async t => {
      const seen = (object: Record<string, unknown>): Record<string, unknown> =>
        object.metadata as Record<string, unknown>;
      const thing = await aThing(
        t,
        changing(object => ({
          ...object,
          metadata: { ...seen(object), labels: { made: 'yes' }, annotations: { a: 'b' }, generation: 77 },
        })),
      );
      await t.quietly({ method: 'POST', path: thing.v1, body: thing.body('v1', 'a', { size: 1 }) });
      await t.get(`${thing.v2}/a`);
    },
  },
  {
    says: 'a converter that changes the name fails the request',
    steps: t =>
      readWith(
        t,
        changing(object => ({ ...object, metadata: { ...(object.metadata as Record<string, unknown>), name: 'b' } })),
      ),
  },
  {
    says: 'a converter that changes the uid fails the request',
    steps: t =>
      readWith(
        t,
        changing(object => ({ ...object, metadata: { ...(object.metadata as Record<string, unknown>), uid: 'b' } })),
      ),
  },
  {
    says: 'a converter that answers an error code fails lists too',
    steps: async t => {
      const thing = await aThing(t, () => ({ code: 500, body: 'broken' }));
      await t.quietly({ method: 'POST', path: thing.v1, body: thing.body('v1', 'a', { size: 1 }) });
      await t.get(thing.v2);
      await t.post(thing.v2, thing.body('v2', 'b', { count: 1 }));
      await t.get(`${thing.v1}/b`);
    },
  },
  {
    says: 'a converter that nobody serves fails the request',
    steps: async t => {
      const hook = await Hook.open(t);
      const thing = await definedWith(t, hook, {
        strategy: 'Webhook',
        webhook: { clientConfig: { url: 'https://127.0.0.1:1/x' }, conversionReviewVersions: ['v1'] },
      });
      await t.quietly({ method: 'POST', path: thing.v1, body: thing.body('v1', 'a', { size: 1 }) });
      await t.get(`${thing.v2}/a`);
    },
  },
  {
    says: 'the metadata alone and a table are shown of what is converted',
    steps: async t => {
      const thing = await aThing(t);
      await t.quietly({ method: 'POST', path: thing.v1, body: thing.body('v1', 'a', { size: 1 }) });
      const metadata = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
      await t.get(`${thing.v2}/a`, { headers: { accept: metadata } });
      await t.get(thing.v2, { headers: { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' } });
    },
  },
];
