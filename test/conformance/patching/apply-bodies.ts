// What an apply is: its body, its manager, and where it is refused.

import type { Case } from '../frame/case.ts';

type Json = Readonly<Record<string, unknown>>;

const applied = (by: string, values: Json, more: Json = {}): Json => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', ...more },
  data: { ...values, by },
});

export const appliedBodies: readonly Case[] = [
  {
    says: 'an apply of YAML is read as YAML, and what is no object is refused',
    steps: async t => {
      const path = `${await t.in('configmaps')}/a?fieldManager=one`;
      await t.patch(
        path,
        'apply-patch+yaml',
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  a: "1"\n',
      );
      await t.patch(path, 'apply-patch+yaml', '- just\n- a list\n');
      await t.patch(path, 'apply-patch+yaml', '');
    },
  },
  {
    says: 'an apply of YAML that breaks off is refused',
    difference: 1,
    steps: async t => {
      const path = `${await t.in('configmaps')}/a?fieldManager=one`;
      await t.patch(path, 'apply-patch+yaml', 'apiVersion: v1\nkind: ConfigMap\ndata:\n  - a: [\n');
    },
  },
  {
    says: 'an apply of another kind, version or name than the path is refused',
    steps: async t => {
      const path = `${await t.in('configmaps')}/a?fieldManager=one`;
      await t.patch(path, 'apply-patch+yaml', { ...applied('one', {}), kind: 'Secret' });
      await t.patch(path, 'apply-patch+yaml', { ...applied('one', {}), apiVersion: 'v2' });
      await t.patch(path, 'apply-patch+yaml', applied('one', {}, { name: 'b' }));
      await t.patch(path, 'apply-patch+yaml', { metadata: { name: 'a' } });
      await t.patch(path, 'apply-patch+yaml', applied('one', {}, { namespace: 'elsewhere' }));
    },
  },
  {
    says: 'an apply that says a key twice is warned of, or refused, and the last one counts',
    steps: async t => {
      const path = `${await t.in('configmaps')}/a?fieldManager=one`;
      const json =
        '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"a":"1","a":"2"},"data":{"b":"3"}}';
      const yaml = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  a: "1"\n  b: "2"\n  a: "3"\n';
      for (const body of [json, yaml]) {
        for (const level of ['Warn', 'Strict', 'Ignore']) {
          await t.patch(`${path}&dryRun=All&fieldValidation=${level}`, 'apply-patch+yaml', body);
        }
      }
      await t.patch(path, 'apply-patch+yaml', yaml);
      await t.patch(`${path}&fieldValidation=Strict`, 'apply-patch+yaml', json);
    },
  },
  {
    says: 'force is for applies alone',
    steps: async t => {
      const path = `${await t.in('configmaps')}/a`;
      await t.quietly({ method: 'POST', path: await t.in('configmaps'), body: applied('x', {}) });
      await t.patch(`${path}?force=true`, 'merge-patch+json', {});
      await t.patch(`${path}?force=maybe&fieldManager=one`, 'apply-patch+yaml', applied('one', {}));
    },
  },
  {
    says: 'the field manager of a write is the first word of the User-Agent when none is named',
    steps: async t => {
      const path = await t.in('configmaps');
      await t.post(
        path,
        { metadata: { name: 'a' }, data: { a: '1' } },
        { headers: { 'user-agent': 'my-tool/v1.2 (linux)' } },
      );
      await t.patch(`${path}/a`, 'merge-patch+json', { data: { b: '2' } }, { headers: { 'user-agent': 'other tool' } });
    },
  },
  {
    says: 'an apply in an absent namespace, or one of another, is refused',
    steps: async t => {
      const path = `/api/v1/namespaces/${t.own('absent')}/configmaps/a?fieldManager=one`;
      await t.patch(path, 'apply-patch+yaml', applied('one', {}));
    },
  },
  {
    says: 'an apply while the object is being deleted adds no finalizer',
    steps: async t => {
      const path = `${await t.in('configmaps')}`;
      await t.quietly({ method: 'POST', path, body: { metadata: { name: 'a', finalizers: ['example.com/a'] } } });
      await t.delete(`${path}/a`);
      await t.patch(
        `${path}/a?fieldManager=one`,
        'apply-patch+yaml',
        applied('one', {}, { finalizers: ['example.com/b'] }),
      );
      await t.patch(`${path}/a?fieldManager=one`, 'apply-patch+yaml', applied('one', { still: 'writable' }));
      await t.patch(`${path}/a?fieldManager=one`, 'merge-patch+json', { metadata: { finalizers: null } });
      await t.get(`${path}/a`);
    },
  },
];
