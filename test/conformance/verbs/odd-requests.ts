// Requests at the edge of HTTP: methods that it does not know, escapes that are none, whole addresses, odd queries and bodies.

import { gzipSync } from 'node:zlib';
import type { Case } from '../frame/case.ts';
import type { Trial } from '../frame/trial.ts';
import type { Ask } from '../frame/wire.ts';

/** Its code, and what it says. */
async function noted(t: Trial, what: Ask): Promise<void> {
  const { status, headers, body, json } = await t.quietly(what);
  const said = json?.message ?? json?.kind ?? (body.length < 100 ? body.toString() : 'much');
  t.note(`${what.method} ${what.path}`, [status, headers['content-type'] ?? 'none', t.mask.text(String(said))]);
}

export const oddRequests: readonly Case[] = [
  {
    says: 'a method that HTTP does not know is refused where methods matter',
    steps: async t => {
      const maps = await t.in('configmaps');
      await t.quietly({ method: 'POST', path: maps, body: { metadata: { name: 'a' } } });
      for (const method of ['FOO', 'LIST', 'GET2', 'PROPFIND', 'A'.repeat(40)]) {
        for (const path of [maps, `${maps}/a`, `${maps}/none`, '/api', '/version', '/api/v1/nonsenses']) {
          await noted(t, { method, path });
        }
      }
    },
  },
  {
    says: 'a method that HTTP does not know reads pages, and finds nothing where nothing is',
    steps: async t => {
      for (const path of ['/apis/apps', '/healthz', '/livez/ping', '/nonsense', '/apis/none.example.com/v1/x']) {
        for (const method of ['FOO', 'LINK']) await noted(t, { method, path });
      }
      await noted(t, { method: 'FOO', path: '/apis/apps', headers: { authorization: 'Bearer none' } });
      await noted(t, { method: 'FOO', path: await t.in('configmaps'), as: { user: t.own('nobody') } });
      await noted(t, { method: 'FOO', path: '/nonsense', as: { user: t.own('nobody') } });
    },
  },
  {
    says: 'an escape that is none ends the request, whoever asks and for whatever',
    steps: async t => {
      const maps = await t.in('configmaps');
      for (const path of [`${maps}/%zz`, `${maps}/%`, `${maps}/a%2`, '/%zz', '/healthz/%z1', '/apis/%g0/v1/x']) {
        await noted(t, { method: 'GET', path });
        await noted(t, { method: 'DELETE', path, headers: { authorization: 'Bearer none' } });
      }
      await t.send({ method: 'GET', path: `/api/v1/namespaces/%zz/pods` });
    },
  },
  {
    says: 'escaped bytes that are no UTF-8 are a name that nothing has',
    steps: async t => {
      for (const path of ['/api/v1/namespaces/%e4/pods', '/api/v1/namespaces/%ff%fe', '/api/v1/%ff', '/%ff']) {
        const { status, json } = await t.quietly({ method: 'GET', path });
        t.note(path, [status, json?.kind, json?.details]);
      }
    },
  },
  {
    says: 'a part of a query that cannot be read is left out',
    steps: async t => {
      const maps = await t.in('configmaps');
      await t.until(`${maps}/kube-root-ca.crt`, object => object !== undefined).then(() => t.shown.pop());
      for (const query of [
        'labelSelector=%zz',
        'labelSelector=none%3Da;b',
        'labelSelector=none%3Da&x=%',
        'a;labelSelector=none%3Da',
        'limit=%31&limit=x',
        'limit=1;',
        'watch=%zz',
        'fieldSelector=metadata.name%3Dnone&%zz',
        '&&limit=1&&',
        'limit',
        '=x&limit=1',
        'limit=+1',
      ]) {
        const { status, json } = await t.quietly({ method: 'GET', path: `${maps}?${query}` });
        t.note(query, [status, json.message ?? json.items.length, json.metadata.continue === undefined]);
      }
      await t.post(`${maps}?dryRun=%zz`, { metadata: { name: 'a' } });
      await t.delete(`${maps}/a?dryRun=All;`);
      await t.get(`${maps}/a`);
    },
  },
  {
    says: 'a request for a whole address is for its path, as one asks a proxy',
    steps: async t => {
      const maps = await t.in('configmaps');
      await t.quietly({ method: 'POST', path: maps, body: { metadata: { name: 'a' } } });
      const { host } = new URL(t.ground.url);
      t.mask.remember(host, '<host>');
      for (const start of [`http://${host}`, `https://${host}`, `HTTP://${host}`, 'http://other.example', 'http://']) {
        for (const path of [`${maps}/a`, `${maps}/none?x=1`, '/version', '/nonsense', '', '/', '?x=1']) {
          await noted(t, { method: 'GET', path: `${start}${path}` });
        }
      }
      await noted(t, { method: 'DELETE', path: `http://user:password@${host}${maps}/a` });
      await noted(t, { method: 'GET', path: `http://${host}${maps}/a` });
    },
  },
  {
    says: 'OPTIONS of the server as a whole is answered with nothing',
    steps: async t => {
      for (const method of ['OPTIONS', 'GET', 'POST']) {
        const { status, body } = await t.quietly({ method, path: '*' });
        t.note(`${method} *`, [status, body.toString()]);
      }
    },
  },
  {
    says: 'a body that came packed is read as it came',
    steps: async t => {
      const maps = `${await t.in('configmaps')}?dryRun=All`;
      const body = JSON.stringify({ metadata: { name: 'a' } });
      for (const encoding of ['gzip', 'deflate', 'br', 'identity', 'nonsense']) {
        await noted(t, { method: 'POST', path: maps, body, headers: { 'content-encoding': encoding } });
      }
      const packed = gzipSync(body);
      const { status, json } = await t.quietly({
        method: 'POST',
        path: maps,
        body: packed,
        headers: { 'content-encoding': 'gzip' },
      });
      t.note('really packed', [status, json.reason]);
    },
  },
  {
    says: 'a body that nobody asked for is not read',
    steps: async t => {
      const maps = await t.in('configmaps');
      await t.quietly({ method: 'POST', path: maps, body: { metadata: { name: 'a' } } });
      for (const path of [`${maps}/a`, '/version', '/healthz', '/apis/apps']) {
        await noted(t, { method: 'GET', path, body: '{bad' });
      }
      await noted(t, { method: 'HEAD', path: '/healthz', body: '{bad' });
    },
  },
  {
    says: 'nothing at all in the body, in each format',
    steps: async t => {
      const maps = await t.in('configmaps');
      await t.quietly({ method: 'POST', path: maps, body: { metadata: { name: 'a' } } });
      const patches = ['merge-patch+json', 'json-patch+json', 'strategic-merge-patch+json', 'apply-patch+yaml'];
      for (const type of ['json', 'yaml', 'vnd.kubernetes.protobuf']) {
        for (const [method, path] of [
          ['POST', maps],
          ['PUT', `${maps}/a`],
          ['DELETE', `${maps}/a?dryRun=All`],
        ] as const) {
          await t.send({ method, path, body: '', headers: { 'content-type': `application/${type}` } });
        }
      }
      for (const type of patches) await t.patch(`${maps}/a?fieldManager=m`, type, '');
    },
  },
  {
    says: 'a media type as it is written, with a charset, a list, a space or capitals',
    steps: async t => {
      const maps = await t.in('configmaps');
      const body = JSON.stringify({ metadata: { name: 'a' } });
      for (const type of [
        'application/json;charset=utf-8',
        'application/json; charset=latin1',
        'application/json,application/yaml',
        'application/JSON',
        'Application/json',
        'application /json',
        'application/json; charset="utf-8"',
        'application/json; charset=utf-8; charset=utf-8',
        'application/merge-patch+json',
        'application/apply-patch+yaml',
        'application/cbor',
        '*/*',
        'json',
      ]) {
        for (const [method, path] of [
          ['POST', `${maps}?dryRun=All`],
          ['DELETE', `${maps}/none`],
        ] as const) {
          const { status, json } = await t.quietly({ method, path, body, headers: { 'content-type': type } });
          t.note(`${method} ${type}`, [status, json.message ?? json.kind]);
        }
      }
    },
  },
  {
    says: 'a name and a query of tens of thousands of letters',
    steps: async t => {
      const maps = await t.in('configmaps');
      const { status, json } = await t.quietly({ method: 'GET', path: `${maps}/${'a'.repeat(60_000)}` });
      t.note('name', [status, json.message.length]);
      const asked = await t.quietly({ method: 'GET', path: `${maps}/none?x=${'a'.repeat(300_000)}` });
      t.note('query', [asked.status, asked.json.message]);
    },
  },
  {
    says: 'YAML that holds itself, or a key that is nothing, is refused, and bytes in it are a text',
    steps: async t => {
      const maps = await t.in('configmaps');
      for (const body of [
        'metadata: &m {name: a, x: *m}\n',
        'metadata: {name: a}\ndata: {~: x}\n',
        'metadata: {name: a}\ndata: {".": x}\n',
        'metadata: {name: a}\ndata: {b: !!binary YQ==, 1: c, true: d}\n',
      ]) {
        const headers = { 'content-type': 'application/yaml' };
        await t.send({ method: 'POST', path: `${maps}?dryRun=All`, body, headers });
      }
      const nested = 'metadata: {name: a}\ndata: {? [a, b] : x}\n';
      const headers = { 'content-type': 'application/yaml' };
      t.note('a list as a key', (await t.quietly({ method: 'POST', path: maps, body: nested, headers })).status);
    },
  },
];
