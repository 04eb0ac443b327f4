// Speaking as somebody else: what each of the headers says, however often it comes and whatever signs it holds.

import type { Case } from '../frame/case.ts';
import type { Told, Trial } from '../frame/trial.ts';

const WHOAMI = '/apis/authentication.k8s.io/v1/selfsubjectreviews';

type Headers = Readonly<Record<string, string | string[]>>;

const whoami = (t: Trial, more: Headers): Promise<Told> =>
  t.post(WHOAMI, {}, { headers: { 'impersonate-user': 'x', ...more } });

/** A header's bytes as an HTTP client is handed them. */
const utf8 = (text: string): string => Buffer.from(text).toString('latin1');

export const impersonation: readonly Case[] = [
  {
    says: 'a comma is part of the name of a group',
    steps: async t => {
      await whoami(t, { 'impersonate-group': 'a,system:masters' });
      await whoami(t, { 'impersonate-group': ['CN=x,OU=y, O=z', 'b'] });
      await t.get('/api/v1/namespaces/kube-system/secrets', {
        headers: { 'impersonate-user': t.own('x'), 'impersonate-group': 'a,system:masters' },
      });
    },
  },
  {
    says: 'each header of a group names one, in their order and as often as it is said',
    steps: async t => {
      await whoami(t, { 'impersonate-group': ['b', 'a', 'b'] });
      await whoami(t, { 'impersonate-group': ['system:authenticated', 'a'] });
      await whoami(t, { 'impersonate-group': ['  padded ', 'two words'] });
      await whoami(t, { 'impersonate-group': '' });
      await whoami(t, { 'impersonate-group': ['', 'a', ''] });
    },
  },
  {
    says: 'each header of an extra is one value, commas and all',
    steps: async t => {
      await whoami(t, { 'impersonate-extra-scopes': ['view,edit', 'all'], 'Impersonate-Extra-Reason': 'a, b' });
      await whoami(t, { 'impersonate-extra-scopes': '' });
      await whoami(t, { 'impersonate-extra-scopes': ['b', 'a', 'b'] });
    },
  },
  {
    says: 'keys of extras are unescaped where they can be',
    steps: async t => {
      await whoami(t, { 'impersonate-extra-example.com%2fscope': 'a' });
      await whoami(t, { 'impersonate-extra-a%zzb': 'a' });
      await whoami(t, { 'impersonate-extra-%41': 'a' });
      await whoami(t, { 'impersonate-extra-a+b': 'a' });
    },
  },
  {
    says: 'of several users, and of several uids, the first one counts',
    steps: async t => {
      await t.post(WHOAMI, {}, { headers: { 'impersonate-user': ['first', 'second'], 'impersonate-uid': ['1', '2'] } });
      await t.post(WHOAMI, {}, { headers: { 'impersonate-user': 'first, second', 'impersonate-uid': '1,2' } });
    },
  },
  {
    says: 'who is impersonated may have a name of any letters',
    steps: async t => {
      const headers = {
        'impersonate-user': utf8('Zoë'),
        'impersonate-uid': utf8('ü'),
        'impersonate-group': [utf8('Größe'), utf8('日本')],
        'impersonate-extra-why': utf8('naïve'),
      };
      // As text it would be joined to the head, and the head be spelt as the text is.
      await t.post(WHOAMI, Buffer.from('{}'), { headers });
    },
  },
];
