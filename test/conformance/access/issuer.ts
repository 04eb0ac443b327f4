// What a stranger to the cluster reads to check its tokens: who issues them, and with which keys.

import type { Case } from '../frame/case.ts';
import type { Trial } from '../frame/trial.ts';

const CONFIGURATION = '/.well-known/openid-configuration';
const KEYS = '/openid/v1/jwks';

/** Where a server listens is its own. */
function forgetAddress(t: Trial): void {
  t.mask.remember(new URL(t.ground.url).host, '<host>');
}

export const issuer: readonly Case[] = [
  {
    says: 'the issuer of tokens says where its keys are, and in which way they sign',
    steps: async t => {
      forgetAddress(t);
      await t.get(CONFIGURATION);
      await t.get(`${CONFIGURATION}/`);
      for (const accept of ['application/yaml', 'application/jwk-set+json', 'text/html, */*']) {
        await t.get(CONFIGURATION, { headers: { accept } });
        const { status, headers } = await t.quietly({ method: 'GET', path: KEYS, headers: { accept } });
        t.note(`keys as ${accept}`, [status, headers['content-type']]);
      }
    },
  },
  {
    says: 'the keys of tokens are a set, and the one that signs now is named by them',
    steps: async t => {
      const told = await t.quietly({ method: 'GET', path: KEYS });
      t.note('head', [told.status, told.headers['content-type'], told.headers['cache-control']]);
      const { keys, ...rest } = JSON.parse(told.body.toString());
      t.note('beside the keys', rest);
      for (const { x, y, kid, ...others } of keys) {
        t.note('a key', others);
        t.note(
          'lengths',
          [x, y, kid].map(text => Buffer.from(text, 'base64url').length),
        );
      }
      const account = await t.in('serviceaccounts');
      await t.quietly({ method: 'POST', path: account, body: { metadata: { name: 'a' } } });
      const issued = await t.quietly({ method: 'POST', path: `${account}/a/token`, body: { spec: {} } });
      const head = JSON.parse(Buffer.from(issued.json.status.token.split('.')[0], 'base64url').toString());
      t.note('signs', { ...head, kid: head.kid === keys[0].kid });
    },
  },
  {
    says: 'the keys and the issuer of tokens are only read',
    steps: async t => {
      forgetAddress(t);
      for (const path of [CONFIGURATION, KEYS]) {
        await t.post(path, {});
        await t.delete(path);
        await t.send({ method: 'HEAD', path });
        await t.get(`${path}/more`);
      }
      await t.get('/.well-known');
      await t.get('/openid/v1');
    },
  },
  {
    says: 'service accounts may read who issues tokens, others may not',
    steps: async t => {
      forgetAddress(t);
      const account = { user: 'system:serviceaccount:default:default', groups: ['system:serviceaccounts'] };
      for (const path of [CONFIGURATION, KEYS]) {
        const { status } = await t.quietly({ method: 'GET', path, as: account });
        t.note(`${path} as an account`, status);
        await t.get(path, { as: { user: 'jane', groups: ['system:authenticated'] } });
      }
      await t.get(`${CONFIGURATION}/`, { as: account });
      const slashed = await t.quietly({ method: 'GET', path: `${KEYS}/`, as: account });
      t.note('with a slash', [slashed.status, slashed.headers['content-type']]);
    },
  },
];
