// Questions behind an address that are doubled, broken or of another verb.

import type { Case } from '../frame/case.ts';
import { aPod, podsIn } from '../frame/prepared.ts';
import type { Trial } from '../frame/trial.ts';

const body = (name: string): object => ({ metadata: { name }, data: { k: 'v' } });

async function secretsIn(t: Trial): Promise<string> {
  const secrets = await t.in('secrets');
  for (const name of ['a', 'b']) await t.quietly({ method: 'POST', path: secrets, body: { metadata: { name } } });
  return secrets;
}

export const queries: readonly Case[] = [
  {
    says: 'of a parameter that is given twice the first counts, for dryRun all do',
    steps: async t => {
      const secrets = await secretsIn(t);
      await t.get(`${secrets}?limit=1&limit=2`);
      await t.get(`${secrets}?limit=x&limit=1`);
      await t.get(`${secrets}?labelSelector=a&labelSelector=!a`);
      await t.post(`${secrets}?dryRun=All&dryRun=All`, { metadata: { name: 'c' } });
      await t.post(`${secrets}?dryRun=All&dryRun=None`, { metadata: { name: 'c' } });
      await t.post(`${secrets}?fieldManager=x&fieldManager=y`, { metadata: { name: 'c' } });
    },
  },
  {
    says: 'what is no query is overlooked',
    steps: async t => {
      const secrets = await secretsIn(t);
      for (const query of ['%zz', 'a%', '&&&', '=', '?', 'limit', 'limit=', 'a;limit=1', 'a=1;b=2', 'limit=1&%zz=1']) {
        await t.get(`${secrets}?${query}`);
      }
      await t.get(`${secrets}/a?%zz`);
    },
  },
  {
    says: 'what is no query of a write',
    steps: async t => {
      const secrets = await secretsIn(t);
      await t.post(`${secrets}?%zz`, { metadata: { name: 'c' } });
      await t.post(`${secrets}?dryRun`, { metadata: { name: 'd' } });
      await t.post(`${secrets}?dryRun=&fieldManager=`, { metadata: { name: 'e' } });
      await t.put(`${secrets}/a?a=%zz&dryRun=All`, { metadata: { name: 'a' } });
      await t.delete(`${secrets}/b?gracePeriodSeconds=`);
      await t.delete(`${secrets}/a?gracePeriodSeconds=soon`);
      await t.delete(`${secrets}/a?propagationPolicy=`);
      await t.delete(`${secrets}/a?orphanDependents=maybe`);
    },
  },
  {
    says: 'parameters of other verbs are overlooked',
    steps: async t => {
      const secrets = await secretsIn(t);
      await t.post(`${secrets}?limit=x&watch=true&resourceVersion=zz&labelSelector=(`, { metadata: { name: 'c' } });
      await t.get(`${secrets}/a?dryRun=Some&fieldManager=%00&fieldValidation=None&force=true`);
      await t.get(`${secrets}/a?watch=maybe&limit=x&labelSelector=(`);
      await t.put(`${secrets}/a?force=true`, { metadata: { name: 'a' } });
      await t.delete(`${secrets}/a?fieldValidation=None&limit=x`);
    },
  },
  {
    says: 'a field manager is printable and short',
    steps: async t => {
      const maps = await t.in('secrets');
      await t.post(`${maps}?fieldManager=${'m'.repeat(128)}`, { metadata: { name: 'a' } });
      await t.post(`${maps}?fieldManager=${'m'.repeat(129)}`, { metadata: { name: 'b' } });
      await t.post(`${maps}?fieldManager=a%0Ab`, { metadata: { name: 'b' } });
      await t.post(`${maps}?fieldManager=%C3%A4%20b`, { metadata: { name: 'b' } });
      await t.patch(`${maps}/a?fieldManager=a%09b`, 'merge-patch+json', {});
      await t.put(`${maps}/a?fieldManager=${'m'.repeat(129)}`, { metadata: { name: 'a' } });
    },
  },
  {
    says: 'a user agent of nobody, of a path and of great length names the manager',
    steps: async t => {
      const secrets = await t.in('secrets');
      for (const [name, agent] of [
        ['a', ''],
        ['b', 'kubectl-create/v1.36'],
        ['c', 'a b/c'],
        ['d', `${'x'.repeat(200)}/1`],
        ['e', '/nothing'],
        ['f', 'ä/1'],
      ]) {
        const headers = { 'user-agent': Buffer.from(agent ?? '').toString('latin1') };
        await t.post(secrets, { metadata: { name }, data: { k: 'dg==' } }, { headers });
      }
    },
  },
  {
    says: 'pretty is obeyed by every kind of answer',
    steps: async t => {
      const secrets = await secretsIn(t);
      const text = async (path: string, headers: Record<string, string> = {}): Promise<void> => {
        const told = await t.quietly({ method: 'GET', path, headers });
        const lines = told.body.toString().split('\n');
        t.note(path, [told.status, lines.length, lines.at(-1) === '', lines[1]?.slice(0, 12) ?? '']);
      };
      for (const pretty of ['true', '1', 'false', '0', 'x', '', 'True', 'TRUE'])
        await text(`${secrets}/a?pretty=${pretty}`);
      await text(`${secrets}?pretty=true`);
      await text(`${secrets}/none?pretty=true`);
      await text(`${secrets}?pretty=true&limit=x`);
      await text('/apis/apps/v1?pretty=true');
      await text('/apis/apps?pretty=true');
      await text('/version?pretty=false');
      await text('/api?pretty=true');
      await text(`${secrets}/a?pretty=true&a`, { accept: 'application/yaml' });
      await text(`${secrets}/a?pretty=true&b`, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' });
      await text(`${secrets}/a?c`, { 'user-agent': 'Mozilla/5.0' });
      await text(`${secrets}/a?pretty=false&d`, { 'user-agent': 'curl/8' });
    },
  },
  {
    says: 'what is written is answered in lines when that is asked',
    steps: async t => {
      const secrets = await t.in('secrets');
      const told = await t.quietly({ method: 'POST', path: `${secrets}?pretty=true`, body: body('a') });
      t.note('created', [told.status, told.body.toString().split('\n').length > 5]);
      const gone = await t.quietly({ method: 'DELETE', path: `${secrets}/a?pretty=true` });
      t.note('deleted', [gone.status, gone.body.toString().split('\n').length > 5]);
    },
  },
  {
    says: 'a GET with a body is a GET',
    steps: async t => {
      const secrets = await secretsIn(t);
      await t.send({ method: 'GET', path: `${secrets}/a`, body: { kind: 'Nonsense' } });
      await t.send({ method: 'GET', path: `${secrets}/a`, body: '{', headers: { 'content-type': 'text/html' } });
    },
  },
  {
    says: 'a write to a subresource is patched in each of the ways',
    steps: async t => {
      const pods = await podsIn(t);
      await t.quietly({ method: 'POST', path: pods, body: aPod('p') });
      const status = `${pods}/p/status`;
      const unversioned = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
      await t.patch(status, 'merge-patch+json', { status: unversioned, spec: { nodeName: 'n' } });
      await t.patch(status, 'strategic-merge-patch+json', { status: { conditions: [{ type: 'X', status: 'True' }] } });
      await t.patch(status, 'json-patch+json', [{ op: 'replace', path: '/status/phase', value: 'Failed' }]);
      await t.patch(status, 'json-patch+json', [{ op: 'test', path: '/status/phase', value: 'Running' }]);
      await t.patch(status, 'json-patch+json', [{ op: 'remove', path: '/status/none' }]);
      await t.patch(`${pods}/none/status`, 'merge-patch+json', {});
      await t.patch(status, 'merge-patch+json', { metadata: { name: 'q' } });
      await t.patch(status, 'merge-patch+json', { metadata: { resourceVersion: '1' } });
    },
  },
];
