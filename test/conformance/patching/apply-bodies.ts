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
    says: 'an apply of another name is told of its conflict first, and of its invalid fields last',
    steps: async t => {
      const path = `${await t.in('configmaps')}/a?fieldManager=`;
      await t.quietly({
        method: 'PATCH',
        path: `${path}one`,
        headers: { 'content-type': 'application/apply-patch+yaml' },
        body: applied('one', {}),
      });
      await t.patch(`${path}two`, 'apply-patch+yaml', applied('two', {}, { name: 'b' }));
      await t.patch(`${path}two`, 'apply-patch+yaml', applied('two', {}, { namespace: 'elsewhere' }));
      await t.patch(`${path}two`, 'apply-patch+yaml', applied('two', {}, { uid: 'another' }));
      await t.patch(`${path}two`, 'apply-patch+yaml', applied('two', {}, { name: 'b', uid: 'another' }));
      await t.patch(`${path}two&force=true`, 'apply-patch+yaml', applied('two', {}, { name: 'b' }));
      await t.patch(`${path}two&force=true`, 'apply-patch+yaml', applied('two', {}, { name: 'B_c' }));
      await t.patch(`${path}two`, 'apply-patch+yaml', applied('two', {}, { name: 'b', resourceVersion: '1' }));
      await t.patch(`${path}two&dryRun=All`, 'apply-patch+yaml', applied('one', {}, { name: 'b' }));
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
    says: 'everything in an apply that is of a wrong type is told at once',
    steps: async t => {
      const deployments = await t.in('deployments', '/apis/apps/v1');
      const tried = (spec: unknown, more: Json = {}): Promise<unknown> =>
        t.patch(`${deployments}/a?fieldManager=one`, 'apply-patch+yaml', {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          metadata: { name: 'a' },
          spec,
          ...more,
        });
      const containers = (more: Json): Json => ({ template: { spec: { containers: [{ name: 'c', ...more }] } } });
      await tried(containers({ args: ['a', 5, null, true], ports: [{ containerPort: 'x', hostPort: {} }] }));
      await tried({ replicas: 'two', paused: 'yes', minReadySeconds: [] });
      await tried({ template: { spec: { containers: [{ name: 5, image: true, ports: {} }] } } });
      await tried({ template: { spec: { containers: 'none', nodeSelector: ['a'], hostNetwork: 1 } } });
      await tried('text', { status: 5, metadata: ['a'] });
      await tried({ brand: {} });
      await tried({ selector: { matchLabels: { a: 1, b: true } }, replicas: {} });
      await tried({
        template: {
          spec: {
            containers: [
              { name: 'c', brand: 1 },
              { name: 'd', brand: 2 },
            ],
          },
        },
      });
    },
  },
  {
    says: 'an item of an applied list lacks no key',
    steps: async t => {
      const pods = await t.in('pods');
      const tried = (spec: Json): Promise<unknown> =>
        t.patch(`${pods}/a?fieldManager=one`, 'apply-patch+yaml', {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: 'a' },
          spec,
        });
      const image = 'i';
      await tried({ containers: [{ image }] });
      await tried({ containers: [{ name: 'c', image }, { image }, {}] });
      await tried({ containers: [{ name: null, image }] });
      await tried({ containers: [{ name: 'c', image, ports: [{ protocol: 'TCP' }, { name: 'p' }] }] });
      await tried({ containers: [{ name: 'c', image, env: [{ value: '1' }] }], volumes: [{ emptyDir: {} }] });
      await tried({ containers: ['c', null] });
      await tried({ containers: [{ name: 'c', image, volumeMounts: [{ name: 'v' }] }] });
      await tried({
        containers: [
          { name: 'c', image },
          { name: 'c', image, brand: 1 },
        ],
      });
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
