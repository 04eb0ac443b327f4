// Objects that were stored before their schema changed: how they are read, watched, selected, written and deleted.

import type { Case } from '../frame/case.ts';
import type { Trial } from '../frame/trial.ts';
import { type Json, object, pathOf, serving, settled, text, version, watchable, whole, widget } from './define.ts';

const before = version(object({ a: text, gone: text }), { selectableFields: [{ jsonPath: '.spec.a' }] });
const after = version(object({ a: text, b: { ...text, default: 'later' }, n: { ...whole, default: 7 } }), {
  selectableFields: [{ jsonPath: '.spec.a' }, { jsonPath: '.spec.b' }],
  additionalPrinterColumns: [{ name: 'B', type: 'string', jsonPath: '.spec.b' }],
});

/** An object of the first schema under the second one. */
async function outgrown(t: Trial, more: Json = {}): Promise<string> {
  const path = await serving(t, { versions: [before] });
  await t.quietly({
    method: 'POST',
    path,
    body: widget(t, { a: 'x', gone: 'y' }, { metadata: { name: 'a', ...more } }),
  });
  await t.quietly({
    method: 'PATCH',
    path: pathOf(t),
    headers: { 'content-type': 'application/merge-patch+json' },
    body: { spec: { versions: [after] } },
  });
  await settled(t, `${path}/a`, ({ spec }) => (spec as Json | undefined)?.b !== undefined);
  await watchable(t, path);
  return path;
}

export const outgrowns: readonly Case[] = [
  {
    says: 'what an older schema stored is watched, listed in tables and selected as it is read',
    steps: async t => {
      const path = await outgrown(t);
      const watch = await t.watch(`${path}?watch=1`);
      await watch.frames(1);
      watch.close();
      await t.get(path, { headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' } });
      await t.get(`${path}?fieldSelector=spec.b%3Dlater`);
      await t.get(`${path}?fieldSelector=spec.b%3Dother`);
      const selected = await t.watch(`${path}?watch=1&fieldSelector=spec.b%3Dlater`);
      await selected.frames(1);
      selected.close();
    },
  },
  {
    says: 'a write that changes nothing stores what an older schema stored as it is read',
    steps: async t => {
      const path = await outgrown(t);
      const { json } = await t.get(`${path}/a`);
      const written = await t.patch(`${path}/a`, 'merge-patch+json', {});
      t.note('stored anew', json.metadata.resourceVersion !== written.json.metadata.resourceVersion);
      const again = await t.patch(`${path}/a`, 'merge-patch+json', {});
      t.note('and again', again.json.metadata.resourceVersion !== written.json.metadata.resourceVersion);
      await t.put(`${path}/a`, { ...again.json, spec: { a: 'x', b: 'later', n: 7 } });
    },
  },
  {
    says: 'a write to what an older schema stored keeps its defaults and drops what is gone',
    steps: async t => {
      const path = await outgrown(t);
      await t.patch(`${path}/a`, 'json-patch+json', [
        { op: 'test', path: '/spec/n', value: 7 },
        { op: 'add', path: '/spec/a', value: 'z' },
      ]);
      await t.patch(`${path}/a`, 'json-patch+json', [{ op: 'remove', path: '/spec/gone' }]);
      await t.patch(`${path}/a?fieldManager=m`, 'apply-patch+yaml', widget(t, { b: 'mine' }));
    },
  },
  {
    says: 'what an older schema stored is deleted as it is read',
    steps: async t => {
      const path = await outgrown(t, { finalizers: ['example.com/hold'] });
      const { json } = await t.quietly({ method: 'GET', path });
      const watch = await t.watch(`${path}?watch=1&resourceVersion=${json.metadata.resourceVersion}`);
      await t.delete(`${path}/a`);
      await watch.frames(1);
      await t.patch(`${path}/a`, 'merge-patch+json', { metadata: { finalizers: null } });
      await watch.frames(1);
    },
  },
];
