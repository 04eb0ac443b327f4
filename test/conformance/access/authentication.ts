// Who somebody is: tokens, nobody at all, and speaking as another.

import type { Case } from '../frame/case.ts';
import type { Told, Trial } from '../frame/trial.ts';
import { grantedEverywhere, someone } from './people.ts';

const AUTHENTICATION = '/apis/authentication.k8s.io/v1';
const WHOAMI = `${AUTHENTICATION}/selfsubjectreviews`;

/** A ServiceAccount `robot` of the case's own; the path of its tokens. */
async function robot(t: Trial): Promise<string> {
  await t.quietly({ method: 'POST', path: await t.in('serviceaccounts'), body: { metadata: { name: 'robot' } } });
  return t.in('serviceaccounts/robot/token');
}

async function tokenOf(t: Trial, spec: object = {}): Promise<string> {
  const { json } = await t.quietly({ method: 'POST', path: await robot(t), body: { spec } });
  return json.status.token;
}

const bearer = (token: string): { headers: Record<string, string> } => ({
  headers: { authorization: `Bearer ${token}` },
});

const claimsOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

const whoami = (t: Trial, token: string): Promise<Told> => t.post(WHOAMI, {}, bearer(token));

export const authentication: readonly Case[] = [
  {
    says: 'nobody is anonymous, and may little',
    steps: async t => {
      const nobody = { headers: { authorization: '' } };
      await t.get('/api/v1/namespaces', nobody);
      await t.get('/healthz', nobody);
      await t.get('/metrics', nobody);
      await t.get('/apis/apps/v1/deployments', nobody);
      await t.post(WHOAMI, {}, nobody);
    },
  },
  {
    says: 'a token that nobody knows answers 401',
    steps: async t => {
      await t.get('/api/v1/namespaces', bearer('nonsense'));
      await t.get('/healthz', bearer('nonsense'));
      await t.get('/api/v1/namespaces', { headers: { authorization: 'Basic eDp5' } });
      await t.get('/api/v1/namespaces', { headers: { authorization: 'Bearer' } });
    },
  },
  {
    says: 'a token of a service account names it, its groups and its uid',
    steps: async t => {
      const told = await whoami(t, await tokenOf(t));
      t.note('extra keys', Object.keys(told.json.status.userInfo.extra ?? {}).sort());
    },
  },
  {
    says: 'a TokenRequest answers the token, its audiences and its end',
    steps: async t => {
      const path = await robot(t);
      for (const spec of [{}, { expirationSeconds: 600 }, { audiences: ['one', 'two'] }, { expirationSeconds: 5 }]) {
        const { json } = await t.post(path, { spec });
        if (json.status?.token === undefined) continue;
        const { exp, iat, nbf, aud, iss, sub, ...rest } = claimsOf(json.status.token) as Record<string, number>;
        t.note('claims', {
          seconds: Number(exp) - Number(iat),
          early: Number(iat) - Number(nbf),
          aud,
          iss,
          sub,
          rest: Object.keys(rest).sort(),
        });
      }
    },
  },
  {
    says: 'a TokenRequest is bound to what it names, which must exist',
    steps: async t => {
      const path = await robot(t);
      const secrets = await t.in('secrets');
      const bound = { apiVersion: 'v1', kind: 'Secret', name: 's' };
      await t.post(path, { spec: { boundObjectRef: bound } });
      const made = await t.quietly({ method: 'POST', path: secrets, body: { metadata: { name: 's' } } });
      await t.post(path, { spec: { boundObjectRef: { ...bound, uid: '11111111-1111-1111-1111-111111111111' } } });
      await t.post(path, { spec: { boundObjectRef: { ...bound, uid: made.json.metadata.uid } } });
      await t.post(path, { spec: { boundObjectRef: { apiVersion: 'v1', kind: 'ConfigMap', name: 'x' } } });
    },
  },
  {
    says: 'a token dies with the secret that it is bound to',
    steps: async t => {
      await robot(t);
      const secrets = await t.in('secrets');
      await t.quietly({ method: 'POST', path: secrets, body: { metadata: { name: 's' } } });
      const token = await tokenOf(t, { boundObjectRef: { apiVersion: 'v1', kind: 'Secret', name: 's' } });
      await whoami(t, token);
      await t.quietly({ method: 'DELETE', path: `${secrets}/s` });
      for (let tries = 0; tries < 400; tries++) {
        const { status } = await t.quietly({ method: 'POST', path: WHOAMI, body: {}, ...bearer(token) });
        if (status === 401) break;
        await new Promise(resolve => setTimeout(resolve, 50));
      }
      await whoami(t, token);
    },
  },
  {
    says: 'a token of an account that is gone is nobody’s',
    steps: async t => {
      const token = await tokenOf(t);
      await t.quietly({ method: 'DELETE', path: await t.in('serviceaccounts/robot') });
      for (let tries = 0; tries < 400; tries++) {
        const { status } = await t.quietly({ method: 'POST', path: WHOAMI, body: {}, ...bearer(token) });
        if (status === 401) break;
        await new Promise(resolve => setTimeout(resolve, 50));
      }
      await whoami(t, token);
    },
  },
  {
    says: 'a token for another audience is not for this server',
    steps: async t => {
      const token = await tokenOf(t, { audiences: ['elsewhere'] });
      await whoami(t, token);
      await t.post(`${AUTHENTICATION}/tokenreviews`, { spec: { token, audiences: ['elsewhere', 'more'] } });
      await t.post(`${AUTHENTICATION}/tokenreviews`, { spec: { token } });
    },
  },
  {
    says: 'a TokenReview tells whose a token is',
    steps: async t => {
      const token = await tokenOf(t);
      const { json } = await t.quietly({
        method: 'POST',
        path: `${AUTHENTICATION}/tokenreviews`,
        body: { spec: { token } },
      });
      const { extra, ...user } = json.status.user;
      t.note('user', user);
      t.note('extra', Object.keys(extra).sort());
      await t.post(`${AUTHENTICATION}/tokenreviews`, { spec: { token: 'nonsense' } });
      await t.post(`${AUTHENTICATION}/tokenreviews`, { spec: { token: '' } });
      await t.post(`${AUTHENTICATION}/tokenreviews`, { metadata: { name: 'x' }, spec: { token: 'x' } });
    },
  },
  {
    says: 'a TokenRequest for an account that is not there answers 404',
    steps: async t => {
      await t.post(await t.in('serviceaccounts/absent/token'), { spec: {} });
      await t.get(await robot(t));
    },
  },
  {
    says: 'only who may impersonate speaks as another',
    difference: 4,
    steps: async t => {
      const as = await grantedEverywhere(t, [
        { apiGroups: [''], resources: ['users'], resourceNames: ['allowed'], verbs: ['impersonate'] },
        { apiGroups: ['authentication.k8s.io'], resources: ['userextras/reason'], verbs: ['impersonate'] },
      ]);
      const token = await tokenOf(t);
      const speaking = (headers: Record<string, string>): object => ({
        headers: { ...bearer(token).headers, ...headers },
      });
      await t.post(WHOAMI, {}, speaking({ 'impersonate-user': 'anyone' }));
      await t.post(WHOAMI, {}, speaking({ 'impersonate-user': 'system:serviceaccount:default:default' }));
      await t.post(WHOAMI, {}, speaking({ 'impersonate-user': 'a', 'impersonate-group': 'b' }));
      await t.post(WHOAMI, {}, speaking({ 'impersonate-group': 'b' }));
      t.note('as', as);
    },
  },
  {
    says: 'impersonation fills in the groups of a service account, and carries extras and a uid',
    steps: async t => {
      const as = (headers: Record<string, string>): object => ({ headers });
      await t.post(WHOAMI, {}, as({ 'impersonate-user': 'system:serviceaccount:default:default' }));
      await t.post(
        WHOAMI,
        {},
        as({ 'impersonate-user': 'x', 'impersonate-uid': 'u-1', 'impersonate-extra-reason': 'because' }),
      );
      await t.post(WHOAMI, {}, as({ 'impersonate-user': 'x', 'impersonate-extra-a%2fb': 'c' }));
      await t.post(WHOAMI, {}, as({ 'impersonate-user': 'system:anonymous' }));
      await t.post(WHOAMI, {}, as({ 'impersonate-uid': 'u-1' }));
      await t.post(WHOAMI, {}, as({ 'impersonate-extra-reason': 'x' }));
    },
  },
  {
    says: 'a secret of a service account gets a token, its namespace and the root certificate',
    steps: async t => {
      await robot(t);
      const secrets = await t.in('secrets');
      const annotations = { 'kubernetes.io/service-account.name': 'robot' };
      const type = 'kubernetes.io/service-account-token';
      await t.quietly({ method: 'POST', path: secrets, body: { metadata: { name: 's', annotations }, type } });
      const told = await t.quietly({ method: 'GET', path: `${secrets}/s` });
      t.note('type', told.json.type);
      for (let tries = 0; tries < 200; tries++) {
        const { json } = await t.quietly({ method: 'GET', path: `${secrets}/s` });
        if (json.data?.token !== undefined && json.data['ca.crt'] !== undefined) {
          t.note('keys', Object.keys(json.data).sort());
          await whoami(t, Buffer.from(json.data.token, 'base64').toString());
          return;
        }
        await new Promise(resolve => setTimeout(resolve, 50));
      }
      throw new Error('no token came');
    },
  },
  {
    says: 'a secret for the token of an account that is not there is refused',
    steps: async t => {
      const secrets = await t.in('secrets');
      const type = 'kubernetes.io/service-account-token';
      await t.post(secrets, { metadata: { name: 's' }, type });
      await t.post(secrets, {
        metadata: { name: 's', annotations: { 'kubernetes.io/service-account.name': '' } },
        type,
      });
    },
  },
  {
    says: 'every namespace gets its default account and the root certificate',
    steps: async t => {
      await t.until(await t.in('serviceaccounts/default'), account => account !== undefined);
      await t.until(await t.in('configmaps/kube-root-ca.crt'), map => map !== undefined);
      await t.delete(await t.in('serviceaccounts/default'));
      await t.until(await t.in('serviceaccounts/default'), account => account !== undefined);
      await t.patch(await t.in('configmaps/kube-root-ca.crt'), 'merge-patch+json', { data: { 'ca.crt': 'mine' } });
      await t.until(await t.in('configmaps/kube-root-ca.crt'), map => map?.data['ca.crt'] !== 'mine');
    },
  },
  {
    says: 'who is authenticated is in system:authenticated, whatever they say',
    steps: async t => {
      await t.post(WHOAMI, {}, { as: { user: someone(t).user, groups: ['system:unauthenticated'] } });
    },
  },
];
