// Getting one object: which resourceVersions are taken, and what is not there.

import type { Case } from '../frame/case.ts';
import { cached, quietSecret, secretsIn } from './prepared.ts';

export const getting: readonly Case[] = [
  {
    says: 'a get answers the object with its kind',
    steps: async t => {
      const secrets = await secretsIn(t, 'a');
      await t.get(`${secrets}/a`);
    },
  },
  {
    says: 'a get at version 0, at its own version and at an older one answers the newest state',
    steps: async t => {
      const secrets = await secretsIn(t);
      const first = await quietSecret(t, secrets, 'a');
      const second = await t.patch(`${secrets}/a`, 'merge-patch+json', { metadata: { labels: { is: 'second' } } });
      await cached(t, secrets, second.json.metadata.resourceVersion);
      await t.get(`${secrets}/a?resourceVersion=0`);
      await t.get(`${secrets}/a?resourceVersion=${second.json.metadata.resourceVersion}`);
      await t.get(`${secrets}/a?resourceVersion=${first}`);
    },
  },
  {
    says: 'a get at a version that lies ahead is refused with the current one',
    steps: async t => {
      const secrets = await secretsIn(t, 'a');
      await t.get(`${secrets}/a?resourceVersion=900000000000`);
    },
  },
  {
    says: 'a get at what is no version is refused',
    steps: async t => {
      const secrets = await secretsIn(t, 'a');
      for (const version of ['zzz', '-1', '1.5', '99999999999999999999', '0x10', '%20', '00']) {
        await t.get(`${secrets}/a?resourceVersion=${version}`);
      }
    },
  },
  {
    says: 'a get of what is not there names the kind and the name',
    steps: async t => {
      await t.get(await t.in('secrets/none'));
      await t.get(await t.in('deployments/none', '/apis/apps/v1'));
      await t.get('/apis/rbac.authorization.k8s.io/v1/clusterroles/none');
      await t.get('/api/v1/namespaces/none/secrets/none');
    },
  },
  {
    says: 'a get of a kind that is not served, and of one in another version, is not found',
    steps: async t => {
      await t.get(await t.in('widgets/none'));
      await t.get(await t.in('pods/none', '/api/v2'));
      await t.get(await t.in('deployments/none', '/apis/apps/v1beta1'));
      await t.get(await t.in('things/none', '/apis/nobody.example.com/v1'));
    },
  },
  {
    says: 'a get of a Namespace reads its own path, and status shows the whole object',
    steps: async t => {
      await t.in('secrets');
      await t.get(`/api/v1/namespaces/${t.ns}`);
      await t.get(`/api/v1/namespaces/${t.ns}/status`);
      await t.get(`/api/v1/namespaces/${t.ns}/finalize`);
    },
  },
  {
    says: 'a get overlooks selectors and limits',
    steps: async t => {
      const secrets = await secretsIn(t, 'a');
      await t.get(`${secrets}/a?labelSelector=not%3Dthere&limit=1&fieldSelector=metadata.name%3Db`);
      await t.get(`${secrets}/a?labelSelector=((&continue=abc`);
    },
  },
  {
    says: 'a get of a cluster-scoped object below a Namespace, and the other way, is not found',
    steps: async t => {
      await t.get(await t.in('nodes/none'));
      await t.get(await t.in('nodes'));
      await t.get('/api/v1/secrets/a');
    },
  },
  {
    says: 'HEAD answers as GET without a body',
    steps: async t => {
      const secrets = await secretsIn(t, 'a');
      await t.send({ method: 'HEAD', path: `${secrets}/a` });
      await t.send({ method: 'HEAD', path: `${secrets}/none` });
    },
  },
  {
    says: 'a slash at the end and a doubled slash',
    steps: async t => {
      const secrets = await secretsIn(t, 'a');
      await t.get(`${secrets}/a/`);
      await t.get(`${secrets}//a`);
      await t.get(secrets.replace('/secrets', '//secrets'));
    },
  },
  {
    says: 'percent signs in a path are read once',
    steps: async t => {
      const secrets = await secretsIn(t, 'a');
      await t.get(`${secrets}/%61`);
      await t.get(`${secrets}/a%2Fb`);
      await t.get(`${secrets}/%2561`);
    },
  },
  {
    says: 'what is asked to be pretty is written in lines, and told to curl unasked',
    steps: async t => {
      const secrets = await secretsIn(t);
      const lines = async (path: string, agent: string): Promise<number> => {
        const { body } = await t.quietly({ method: 'GET', path, headers: { 'user-agent': agent } });
        return body.toString().split('\n').length;
      };
      const shown: Record<string, number> = {};
      for (const query of ['', '?pretty=true', '?pretty=1', '?pretty=0', '?pretty=false', '?pretty']) {
        for (const agent of ['kubectl/v1.36', 'curl/8.0', 'Mozilla/5.0']) {
          shown[`${agent}${query}`] = await lines(`${secrets}/none${query}`, agent);
        }
      }
      t.note('lines', shown);
    },
  },
];
