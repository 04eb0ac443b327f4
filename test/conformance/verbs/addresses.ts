// Addresses as people and scripts write them: encoded, doubled, too long, of nothing, and with methods that do not fit.

import type { Case } from '../frame/case.ts';
import { aPod, podsIn, widgets } from '../frame/prepared.ts';
import type { Trial } from '../frame/trial.ts';

async function mapsIn(t: Trial): Promise<string> {
  const maps = await t.in('configmaps');
  // The one that a controller puts there comes at some time.
  await t.until(`${maps}/kube-root-ca.crt`, object => object !== undefined).then(() => t.shown.pop());
  await t.quietly({ method: 'POST', path: maps, body: { metadata: { name: 'a' }, data: { k: 'v' } } });
  return maps;
}

export const addresses: readonly Case[] = [
  {
    says: 'letters of a path may be encoded',
    steps: async t => {
      const maps = await mapsIn(t);
      await t.get(maps.replace('configmaps', '%63onfigmaps/%61'));
      await t.get(maps.replace('/api/', '/%61pi/').concat('/a'));
      await t.get(maps.replace('/v1/', '%2Fv1%2F').concat('%2Fa'));
      await t.get('/apis%2Fapps%2Fv1%2Fnamespaces%2Fdefault%2Fdeployments%2Fnone');
    },
  },
  {
    says: 'a name that no object can have is not found, or refused',
    steps: async t => {
      const maps = await t.in('configmaps');
      for (const name of ['A', 'a%20b', 'a_b', '%C3%A4', '-', 'a%00', 'a:b', 'a@b', 'a+b', 'a%3Fb', 'a%23b', '*']) {
        await t.get(`${maps}/${name}`);
      }
      await t.delete(`${maps}/A%20B`);
      await t.patch(`${maps}/A_B`, 'merge-patch+json', {});
      await t.put(`${maps}/A_B`, { metadata: { name: 'A_B' } });
    },
  },
  {
    says: 'a name of dots or with a percent sign is refused in every verb',
    steps: async t => {
      const maps = await t.in('secrets');
      for (const name of ['%2E', '%2E%2E', 'a%25b']) {
        await t.delete(`${maps}/${name}`);
        await t.put(`${maps}/${name}`, { metadata: { name: 'a' } });
        await t.patch(`${maps}/${name}`, 'merge-patch+json', {});
      }
      await t.get(`${maps}/%2E%2E/status`);
    },
  },
  {
    says: 'a name of 300 characters is not found',
    steps: async t => {
      const name = 'a'.repeat(300);
      await t.get(await t.in(`configmaps/${name}`));
      await t.get(`/api/v1/namespaces/${name}`);
      await t.get(`/api/v1/namespaces/${name}/configmaps`);
      await t.post(`/api/v1/namespaces/${name}/configmaps`, { metadata: { name: 'a' } });
    },
  },
  {
    says: 'a Namespace that none can be is empty to read and not there to write in',
    steps: async t => {
      for (const ns of ['UPPER', 'a_b', 'a%20b', 'a.b', '%C3%A4']) {
        await t.get(`/api/v1/namespaces/${ns}/configmaps`);
        await t.get(`/api/v1/namespaces/${ns}/configmaps/a`);
        await t.post(`/api/v1/namespaces/${ns}/configmaps`, { metadata: { name: 'a' } });
      }
    },
  },
  {
    says: 'a slash at the end of a collection is none to any verb',
    steps: async t => {
      const maps = await mapsIn(t);
      const { status } = await t.quietly({ method: 'GET', path: `${maps}/` });
      t.note('list', status);
      await t.post(`${maps}/`, { metadata: { name: 'b' } });
      await t.patch(`${maps}/b/`, 'merge-patch+json', { data: { k: 'w' } });
      await t.put(`${maps}/b/`, { metadata: { name: 'b' } });
      await t.delete(`${maps}/b/`);
      await t.get('/api/v1/namespaces/default/');
      await t.get(`${maps}/a///`);
    },
  },
  {
    says: 'slashes that are doubled somewhere in a path',
    steps: async t => {
      for (const path of [
        '//api/v1/namespaces/default/configmaps/none',
        '/api//v1/namespaces/default/configmaps/none',
        '/api/v1//namespaces/default/configmaps/none',
        '/api/v1/namespaces//default/configmaps/none',
        '/apis//apps/v1/deployments',
        '/apis/apps//v1/deployments',
        '/apis/apps/v1//deployments',
        '/apis//',
        '//apis',
        '//healthz',
        '//',
      ]) {
        await t.get(path);
      }
      const all = await t.quietly({ method: 'GET', path: '/api/v1/namespaces//configmaps' });
      t.note('in no Namespace', [all.status, all.json.kind]);
    },
  },
  {
    says: 'dots in a path are not walked',
    steps: async t => {
      for (const path of [
        '/api/v1/./namespaces/default/configmaps/none',
        '/api/v1/../v1/namespaces/default/configmaps/none',
        '/api/v1/namespaces/default/configmaps/../secrets/none',
        '/healthz/../metrics/none',
        '/./api',
        '/api/v1/namespaces/default/configmaps/.',
        '/api/v1/namespaces/default/configmaps/..',
        '/apis/./apps/v1/deployments',
      ]) {
        await t.get(path);
      }
    },
  },
  {
    says: 'groups, versions and kinds in the wrong places of a path',
    steps: async t => {
      for (const path of [
        '/api/apps/v1/deployments',
        '/api/v1/deployments',
        '/apis/v1/pods',
        '/apis/apps/deployments',
        '/apis/apps/v1/pods',
        '/apis/core/v1/pods',
        '/apis/apps/v1beta1/deployments',
        '/apis/extensions/v1beta1/deployments',
        '/apis/Apps/v1/deployments',
        '/api/V1/pods',
        '/api/v1/Pods',
        '/api/v1/pod',
        '/api/v1/po',
        '/API/v1/pods',
      ]) {
        await t.get(path);
      }
    },
  },
  {
    says: 'a Namespace within a Namespace, and a path that ends where a kind should be',
    steps: async t => {
      const inside = await t.in('namespaces');
      await t.get(inside);
      await t.get(`${inside}/default`);
      await t.post(inside, { metadata: { name: t.own('x') } });
      await t.get('/apis/apps/v1/namespaces/default');
      await t.get('/apis/apps/v1/namespaces');
      await t.post('/apis/apps/v1/namespaces/default', {});
    },
  },
  {
    says: 'more of a path than a kind has',
    steps: async t => {
      const maps = await mapsIn(t);
      for (const rest of ['status', 'scale', 'data', 'a', 'status/more', '%2F', 'log'])
        await t.get(`${maps}/a/${rest}`);
      const pods = await podsIn(t);
      await t.quietly({ method: 'POST', path: pods, body: aPod('p') });
      for (const rest of ['spec', 'status/phase', 'log/more', 'exec/more', 'scale', 'binding/a']) {
        await t.get(`${pods}/p/${rest}`);
      }
      await t.get(`/api/v1/namespaces/${t.ns}/status/more`);
      await t.get(`/api/v1/namespaces/${t.ns}/finalize/more`);
    },
  },
  {
    says: 'methods that a subresource does not take',
    steps: async t => {
      const pods = await podsIn(t);
      await t.quietly({ method: 'POST', path: pods, body: aPod('p') });
      await t.post(`${pods}/p/status`, {});
      await t.delete(`${pods}/p/status`);
      for (const only of ['binding', 'eviction']) {
        await t.get(`${pods}/p/${only}`);
        await t.put(`${pods}/p/${only}`, {});
        await t.patch(`${pods}/p/${only}`, 'merge-patch+json', {});
        await t.delete(`${pods}/p/${only}`);
      }
      for (const stream of ['exec', 'attach', 'portforward']) {
        await t.put(`${pods}/p/${stream}`, {});
        await t.delete(`${pods}/p/${stream}`);
        await t.patch(`${pods}/p/${stream}`, 'merge-patch+json', {});
      }
      await t.post(`${pods}/p/log`, {});
      await t.put(`${pods}/p/log`, {});
      await t.post(`${pods}/p/ephemeralcontainers`, {});
      await t.delete(`${pods}/p/resize`);
    },
  },
  {
    says: 'methods that other subresources do not take',
    steps: async t => {
      const accounts = await t.in('serviceaccounts');
      await t.quietly({ method: 'POST', path: accounts, body: { metadata: { name: 'a' } } });
      await t.get(`${accounts}/a/token`);
      await t.put(`${accounts}/a/token`, {});
      await t.delete(`${accounts}/a/token`);
      const deployments = await t.in('deployments', '/apis/apps/v1');
      await t.post(`${deployments}/a/scale`, {});
      await t.delete(`${deployments}/a/scale`);
      await t.delete(`${deployments}/a/status`);
      await t.get(`/api/v1/namespaces/${t.ns}/finalize`);
      await t.post(`/api/v1/namespaces/${t.ns}/finalize`, {});
      await t.patch(`/api/v1/namespaces/${t.ns}/finalize`, 'merge-patch+json', {});
      await t.delete(`/api/v1/namespaces/${t.ns}/status`);
      const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
      await t.post(`${requests}/none/approval`, {});
      await t.delete(`${requests}/none/approval`);
    },
  },
  {
    says: 'methods that subresources of custom objects do not take',
    steps: async t => {
      const { path } = await widgets(t, { subresources: { status: {} } });
      await t.quietly({ method: 'POST', path, body: { ...widget(t), metadata: { name: 'a' } } });
      await t.post(`${path}/a/status`, {});
      await t.delete(`${path}/a/status`);
      await t.get(`${path}/a/scale`);
      await t.put(`${path}/a/scale`, {});
      await t.post(`${path}/a/scale`, {});
      await t.get(`${path}/a/nothing`);
      await t.delete(`${path}/a/nothing`);
      await t.get(`${path}/a/status/more`);
      await t.put(path, {});
      await t.patch(path, 'merge-patch+json', {});
      await t.post(`${path}/a`, {});
      await t.post(`${path}/a`, { ...widget(t), metadata: { name: 'b' } });
      await t.post(`${path}/c`, { ...widget(t), metadata: {} });
      for (const method of ['HEAD', 'OPTIONS', 'TRACE']) {
        await t.send({ method, path });
        await t.send({ method, path: `${path}/a` });
        await t.send({ method, path: `${path}/none` });
      }
    },
  },
  {
    says: 'HEAD and OPTIONS on collections, subresources and pages',
    steps: async t => {
      const maps = await mapsIn(t);
      await t.send({ method: 'HEAD', path: maps });
      await t.send({ method: 'OPTIONS', path: `${maps}/a` });
      await t.send({ method: 'HEAD', path: `/api/v1/namespaces/${t.ns}/status` });
      await t.send({ method: 'HEAD', path: '/api/v1/nonsenses' });
      for (const path of ['/', '/api', '/apis', '/apis/apps', '/version', '/openapi/v3', '/healthz', '/nothing']) {
        const { status, headers } = await t.quietly({ method: 'OPTIONS', path });
        t.note(`OPTIONS ${path}`, [status, headers.allow]);
      }
      for (const path of [
        '/',
        '/apis/apps',
        '/openapi/v3',
        '/openapi/v2',
        '/metrics',
        '/healthz/ping',
        '/api',
        '/openapi/v3/apis/apps/v1',
      ]) {
        const { status } = await t.quietly({ method: 'POST', path });
        t.note(`POST ${path}`, status);
      }
    },
  },
  {
    says: 'the old address of a watch is for reading alone',
    steps: async t => {
      const old = (await t.in('configmaps')).replace('/api/v1/', '/api/v1/watch/');
      await t.post(old, { metadata: { name: 'a' } });
      await t.put(`${old}/a`, {});
      await t.delete(`${old}/a`);
      await t.delete(old);
      await t.patch(`${old}/a`, 'merge-patch+json', {});
      await t.get('/api/v1/watch');
      await t.get('/api/v1/watch/nonsenses');
      await t.get('/apis/apps/v1/watch');
      await t.get(`${old}/a/status`);
    },
  },
];

const widget = (t: Trial): object => ({ apiVersion: `${t.own('w')}.example.com/v1`, kind: 'Widget' });
