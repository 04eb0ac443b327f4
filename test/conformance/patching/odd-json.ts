// JSON and merge patches that are odd: what the real server's libraries make of them, and what it warns of.

import type { Case } from '../frame/case.ts';
import type { Trial } from '../frame/trial.ts';

const MAP = { metadata: { name: 'a', labels: { one: '1' }, finalizers: [] }, data: { key: 'value', other: 'thing' } };

async function mapOf(t: Trial): Promise<string> {
  const path = await t.in('configmaps');
  await t.quietly({ method: 'POST', path, body: MAP });
  return `${path}/a`;
}

const HOOKS = ['example.com/a', 'example.com/b', 'example.com/c'];

/** With three finalizers, a list of texts; it is let go when the case ends. */
async function listOf(t: Trial): Promise<string> {
  const path = await mapOf(t);
  const headers = { 'content-type': 'application/merge-patch+json' };
  const set = (finalizers: unknown) => () =>
    t.quietly({ method: 'PATCH', path, headers, body: { metadata: { finalizers } } });
  await set(HOOKS)();
  t.after(set(null));
  return path;
}

type Operation = Readonly<Record<string, unknown>>;

const each = (
  says: string,
  prepared: (t: Trial) => Promise<string>,
  patches: readonly (readonly Operation[])[],
): Case => ({
  says,
  steps: async t => {
    const path = await prepared(t);
    for (const patch of patches) await t.patch(`${path}?dryRun=All`, 'json-patch+json', patch);
  },
});

const LIST = '/metadata/finalizers';
const hook = 'example.com/x';

export const oddJsonPatches: readonly Case[] = [
  each('a JSON patch counts back from the end of a list', listOf, [
    [{ op: 'replace', path: `${LIST}/-1`, value: hook }],
    [{ op: 'add', path: `${LIST}/-1`, value: hook }],
    [{ op: 'add', path: `${LIST}/-4`, value: hook }],
    [{ op: 'add', path: `${LIST}/-5`, value: hook }],
    [{ op: 'remove', path: `${LIST}/-3` }],
    [{ op: 'remove', path: `${LIST}/-4` }],
    [{ op: 'test', path: `${LIST}/-2`, value: 'example.com/b' }],
    [{ op: 'copy', from: `${LIST}/-1`, path: '/data/last' }],
    [{ op: 'replace', path: `${LIST}/-`, value: hook }],
  ]),
  each('a JSON patch reads the numbers of a list as Go does', listOf, [
    [{ op: 'replace', path: `${LIST}/01`, value: hook }],
    [{ op: 'replace', path: `${LIST}/+1`, value: hook }],
    [{ op: 'add', path: `${LIST}/3`, value: hook }],
    [{ op: 'add', path: `${LIST}/4`, value: hook }],
    [{ op: 'replace', path: `${LIST}/3`, value: hook }],
    [{ op: 'replace', path: `${LIST}/1.0`, value: hook }],
    [{ op: 'replace', path: `${LIST}/ 1`, value: hook }],
    [{ op: 'replace', path: `${LIST}/`, value: hook }],
    [{ op: 'remove', path: `${LIST}/one` }],
  ]),
  each('a JSON patch copies and tests keys that are not there as null', mapOf, [
    [{ op: 'copy', from: '/data/absent', path: '/data/copied' }],
    [{ op: 'move', from: '/data/absent', path: '/data/moved' }],
    [{ op: 'copy', from: '/absent/deeper', path: '/data/copied' }],
    [{ op: 'test', path: '/data/absent', value: null }],
    [{ op: 'test', path: '/data/absent', value: '' }],
    [{ op: 'test', path: '/absent/deeper', value: null }],
    [{ op: 'test', path: '/data/key' }],
    [{ op: 'test', path: '/data', value: { other: 'thing', key: 'value' } }],
    [{ op: 'test', path: '/data', value: { key: 'value' } }],
  ]),
  each('a JSON patch without a value sets null, and none without a path is carried out', mapOf, [
    [{ op: 'add', path: '/data/new' }],
    [{ op: 'replace', path: '/data/key' }],
    [{ op: 'add', path: '/data' }],
    [{ op: 'add', value: 'x' }],
    [{ op: 'move', path: '/data/new' }],
    [{ path: '/data/new', value: 'x' }],
    [{ op: 'ADD', path: '/data/new', value: 'x' }],
    [{}],
  ]),
  each('a JSON patch takes no notice of what stands before the first slash', mapOf, [
    [{ op: 'add', path: 'anything/data/new', value: 'x' }],
    [{ op: 'add', path: 'data', value: {} }],
    [{ op: 'replace', path: '', value: {} }],
    [{ op: 'remove', path: '' }],
    [{ op: 'test', path: '', value: {} }],
    [{ op: 'add', path: '/', value: 'x' }],
    [{ op: 'add', path: '/data/', value: 'x' }],
    [{ op: 'add', path: '/data/~2~', value: 'x' }],
    [{ op: 'add', path: '/data/~01', value: 'x' }],
    [{ op: 'add', path: '/data/key/deeper', value: 'x' }],
  ]),
  each('a JSON patch moves a value into itself, away and onto others', mapOf, [
    [{ op: 'move', from: '/data', path: '/data/inner' }],
    [{ op: 'move', from: '/data/key', path: '/data/key' }],
    [{ op: 'move', from: '/metadata/labels/one', path: '/data/other' }],
    [{ op: 'copy', from: '/metadata/labels', path: '/metadata/annotations' }],
    [{ op: 'copy', from: '', path: '/data/whole' }],
  ]),
  {
    says: 'a JSON patch warns of fields that an operation does not have, and of those it says twice',
    steps: async t => {
      const path = await mapOf(t);
      const odd = '[{"op":"add","path":"/data/n","value":"x","colour":"red","op":"add"},{"op":"test","Path":"/data"}]';
      for (const level of ['Warn', 'Strict', 'Ignore']) {
        await t.patch(`${path}?dryRun=All&fieldValidation=${level}`, 'json-patch+json', odd.replace(/,\{.*\}/, ''));
        await t.patch(`${path}?dryRun=All&fieldValidation=${level}`, 'json-patch+json', odd);
      }
    },
  },
  {
    says: 'a JSON patch whose parts are of wrong types is refused',
    steps: async t => {
      const path = await mapOf(t);
      for (const level of ['Warn', 'Ignore']) {
        for (const body of ['[5]', '[null]', '[{"op":5}]', '[{"op":"add","path":5}]', '[[]]', 'null', '{}', '"x"']) {
          await t.patch(`${path}?dryRun=All&fieldValidation=${level}`, 'json-patch+json', body);
        }
      }
    },
  },
  {
    says: 'a JSON patch of more than ten thousand operations is too large',
    steps: async t => {
      const path = await mapOf(t);
      const many = Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/data/key', value: 'value' }));
      await t.patch(path, 'json-patch+json', many);
      await t.patch(path, 'json-patch+json', many.slice(1));
    },
  },
  {
    says: 'a patch that takes the kind away leaves what it was',
    steps: async t => {
      const path = await mapOf(t);
      await t.patch(path, 'merge-patch+json', { kind: null, data: { a: '1' } });
      await t.patch(path, 'json-patch+json', [{ op: 'remove', path: '/kind' }]);
      await t.patch(path, 'strategic-merge-patch+json', { kind: null });
    },
  },
  {
    says: 'a merge patch that says a key twice is warned of, or refused, and the last one counts',
    steps: async t => {
      const path = await mapOf(t);
      const twice = '{"data":{"a":"1","a":"2","b":{"c":1}},"data":{"b":"3","b":"4"}}';
      for (const how of ['merge-patch+json', 'strategic-merge-patch+json']) {
        for (const level of ['Warn', 'Strict', 'Ignore']) {
          await t.patch(`${path}?dryRun=All&fieldValidation=${level}`, how, twice);
        }
        await t.patch(`${path}?dryRun=All`, how, '{"data":{"n":"1","n":"2"},"spec":{"x":1,"x":2}}');
      }
    },
  },
];
