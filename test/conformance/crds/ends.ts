// How kinds end: objects that go with their definition, watches that end, and what of a definition may change.

import type { Case } from '../frame/case.ts';
import { groupOf, object, pathOf, serving, text, version, watchable, widget } from './define.ts';

const plain = version(object({ a: text }));

export const ends: readonly Case[] = [
  {
    says: 'a definition that goes takes its objects along, and waits for those that are held',
    steps: async t => {
      const path = await serving(t, { versions: [plain] });
      await t.quietly({
        method: 'POST',
        path,
        body: widget(t, { a: 'x' }, { metadata: { name: 'a', finalizers: ['example.com/hold'] } }),
      });
      await t.quietly({ method: 'POST', path, body: widget(t, {}, { metadata: { name: 'b' } }) });
      await t.delete(pathOf(t));
      await t.until(pathOf(t), crd =>
        ((crd?.status.conditions ?? []) as { type: string; reason: string }[]).some(
          ({ type, reason }) => type === 'Terminating' && reason === 'InstanceDeletionInProgress',
        ),
      );
      await t.until(`${path}/b`, gone => gone === undefined);
      await t.post(path, widget(t, {}, { metadata: { name: 'c' } }));
      await t.patch(`${path}/a`, 'merge-patch+json', { metadata: { finalizers: null } });
      await t.until(pathOf(t), gone => gone === undefined);
    },
  },
  {
    says: 'a kind that is gone is not served, and comes back empty',
    steps: async t => {
      const path = await serving(t, { versions: [plain] });
      await t.quietly({ method: 'POST', path, body: widget(t, { a: 'x' }) });
      await t.quietly({ method: 'DELETE', path: pathOf(t) });
      await t.until(pathOf(t), gone => gone === undefined);
      for (let tries = 0; tries < 200 && (await t.quietly({ method: 'GET', path })).status !== 404; tries++) {
        await new Promise(resolve => setTimeout(resolve, 50));
      }
      await t.get(path);
      await t.get(`/apis/${groupOf(t)}/v1`);
      await serving(t, { versions: [plain] });
      await t.get(path);
    },
  },
  {
    says: 'a watch of a kind ends when the kind is no longer served',
    steps: async t => {
      const path = await serving(t, { versions: [plain] });
      await watchable(t, path);
      const watch = await t.watch(`${path}?watch=1`);
      await t.quietly({ method: 'POST', path, body: widget(t, { a: 'x' }) });
      await watch.frames(1);
      await t.quietly({ method: 'DELETE', path: pathOf(t) });
      await watch.toEnd();
    },
  },
  {
    says: 'a watch of a kind ends when what is served of the kind changes',
    steps: async t => {
      const path = await serving(t, { versions: [plain] });
      await watchable(t, path);
      const watch = await t.watch(`${path}?watch=1`);
      await t.quietly({ method: 'POST', path, body: widget(t, { a: 'x' }) });
      await watch.frames(1);
      await t.quietly({
        method: 'PATCH',
        path: pathOf(t),
        headers: { 'content-type': 'application/merge-patch+json' },
        body: { spec: { versions: [version(object({ a: text, b: text }))] } },
      });
      await watch.toEnd();
    },
  },
];
