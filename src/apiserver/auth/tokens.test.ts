// Service account tokens: issued, believed as long as what they are bound to exists, and refused otherwise.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seconds } from '../../base/clock.ts';
import type { JsonObject } from '../parts.ts';
import { authenticator, tokenReader } from './authenticate.ts';
import { objectAt, textAt } from './fields.ts';
import { mintSecretToken, tokenIssuer } from './issue-token.ts';
import { parseJwt, signJwt } from './jwt.ts';
import { tokenWorld } from './token-world.testing.ts';

const API = 'https://kubernetes.default.svc.cluster.local';
const runner = { metadata: { namespace: 'ci', name: 'runner', uid: 'account-uid' } };
const pod = {
  metadata: { namespace: 'ci', name: 'vm', uid: 'pod-uid' },
  spec: { serviceAccountName: 'runner', nodeName: 'mac-0' },
};
const podRef = { apiVersion: 'v1', kind: 'Pod', name: 'vm', uid: 'pod-uid' };

async function aCluster() {
  const world = await tokenWorld();
  world.stored
    .put('serviceaccounts', runner)
    .put('pods', pod)
    .put('nodes', { metadata: { name: 'mac-0', uid: 'node-uid' } });
  const options = { tokens: world, staticTokens: [{ token: 'let-me-in', user: 'admin', groups: ['system:masters'] }] };
  const read = tokenReader(options);
  const asks = authenticator(options, read);
  const issue = async (spec: JsonObject, bound?: JsonObject): Promise<string> => {
    const answer = await tokenIssuer(world).issue({ serviceAccount: runner, spec, bound });
    assert.ok('token' in answer, JSON.stringify(answer));
    return answer.token;
  };
  const who = (token: string) => asks.authenticate({ authorization: `Bearer ${token}` }, undefined);
  return { world, read, asks, issue, who };
}

test('A bound token says whose it is, on which Pod and Node', async () => {
  const { issue, who } = await aCluster();

  const identity = await who(await issue({ boundObjectRef: podRef }, pod));

  assert.ok(identity);
  const { extra, ...rest } = identity;
  assert.deepEqual(rest, {
    name: 'system:serviceaccount:ci:runner',
    uid: 'account-uid',
    groups: ['system:serviceaccounts', 'system:serviceaccounts:ci', 'system:authenticated'],
  });
  assert.match(extra?.['authentication.kubernetes.io/credential-id']?.[0] ?? '', /^JTI=[0-9a-f-]{36}$/);
  assert.deepEqual(
    ['pod-name', 'pod-uid', 'node-name', 'node-uid'].map(key => extra?.[`authentication.kubernetes.io/${key}`]?.[0]),
    ['vm', 'pod-uid', 'mac-0', 'node-uid'],
  );
});

test('The answer names the second at which the token expires, and then it does', async () => {
  const { world, who } = await aCluster();
  const answer = await tokenIssuer(world).issue({
    serviceAccount: runner,
    spec: { expirationSeconds: 600 },
    bound: undefined,
  });
  assert.ok('token' in answer);
  const before = await who(answer.token);

  world.clock.jumpWall(seconds(599));
  const justBefore = await who(answer.token);
  world.clock.jumpWall(seconds(1));

  assert.equal(answer.expirationTimestamp, '2026-01-01T00:10:00Z');
  assert.equal(before?.name, justBefore?.name);
  assert.equal(await who(answer.token), undefined);
});

const endings: readonly (readonly [string, (world: Awaited<ReturnType<typeof aCluster>>['world']) => void])[] = [
  ['its account is deleted', world => world.stored.remove('serviceaccounts', 'ci', 'runner')],
  [
    'its account is another of that name',
    world => world.stored.put('serviceaccounts', { metadata: { ...runner.metadata, uid: 'newer' } }),
  ],
  [
    'its account has been deleting for over a minute',
    world => {
      const deletionTimestamp = '2026-01-01T00:00:00Z';
      world.stored.put('serviceaccounts', { metadata: { ...runner.metadata, deletionTimestamp } });
      world.clock.jumpWall(seconds(61));
    },
  ],
  ['its Pod is deleted', world => world.stored.remove('pods', 'ci', 'vm')],
  [
    'its Pod is another of that name',
    world => world.stored.put('pods', { ...pod, metadata: { ...pod.metadata, uid: 'newer' } }),
  ],
  [
    'its Pod has been deleting for over a minute',
    world => {
      world.stored.put('pods', { ...pod, metadata: { ...pod.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } });
      world.clock.jumpWall(seconds(61));
    },
  ],
];

for (const [what, end] of endings) {
  test(`A token is refused once ${what}, although its signature is known`, async () => {
    const { world, issue, who } = await aCluster();
    const token = await issue({ boundObjectRef: podRef }, pod);
    const before = await who(token);

    end(world);

    assert.notEqual(before, undefined);
    assert.equal(await who(token), undefined);
  });
}

test('A Node that is gone does not end the token of a Pod, but a token bound to that Node itself', async () => {
  const { world, issue, who } = await aCluster();
  const node = world.stored.get('nodes', '', 'mac-0');
  const ofPod = await issue({ boundObjectRef: podRef }, pod);
  const ofNode = await issue({ boundObjectRef: { apiVersion: 'v1', kind: 'Node', name: 'mac-0' } }, node);
  const before = await who(ofNode);

  world.stored.remove('nodes', '', 'mac-0');

  assert.notEqual(before, undefined);
  assert.notEqual(await who(ofPod), undefined);
  assert.equal(await who(ofNode), undefined);
});

test('A token for another audience opens nothing here, and TokenReview tells who asks for it', async () => {
  const { issue, who, read } = await aCluster();
  const token = await issue({ audiences: ['tuist-runners-dispatch'], boundObjectRef: podRef }, pod);

  assert.equal(await who(token), undefined);
  assert.equal(read(token, ['tuist-runners-dispatch', 'x']).kind, 'believed');
  assert.deepEqual(read(token, ['x']), {
    kind: 'refused',
    why: 'token audiences ["tuist-runners-dispatch"] is invalid for the target audiences ["x"]',
  });
});

test('What was changed, unsigned, signed by another key or under another algorithm is refused', async () => {
  const { world, issue, who, read } = await aCluster();
  const token = await issue({});
  const [header = '', claims = '', signature = ''] = token.split('.');
  const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const forged = { ...parseJwt(token)?.claims, sub: 'system:serviceaccount:kube-system:root' };
  const other = await issue({});
  world.stored.put('secrets', runner);

  for (const bad of [
    `${header}.${encode(forged)}.${signature}`,
    `${encode({ alg: 'none' })}.${claims}.`,
    `${encode({ alg: 'HS256' })}.${claims}.${signature}`,
    `${encode({ alg: 'ES256', kid: 'x' })}.${claims}.${signature}`,
    `${header}.${claims}.${other.split('.')[2]}`,
    `${header}.${claims}`,
    `${token}.x`,
    `${encode([])}.${encode('x')}.x`,
    'x'.repeat(20_000),
    '..',
  ]) {
    assert.equal(await who(bad), undefined);
    assert.notEqual(read(bad, [API]).kind, 'believed');
  }
});

test('Only the key decides the algorithm: a well-signed token that names another one is refused', async () => {
  const { world, issue, who } = await aCluster();
  const [, claims = ''] = (await issue({})).split('.');
  const signed = (alg: string): string => {
    const text = `${Buffer.from(JSON.stringify({ alg })).toString('base64url')}.${claims}`;
    const signature = world.signatures.sign(world.key.privateKeyPem, Buffer.from(text));
    return `${text}.${Buffer.from(signature).toString('base64url')}`;
  };

  assert.notEqual(await who(signed('ES256')), undefined);
  assert.equal(await who(signed('RS256')), undefined);
});

test('A token without an expiry never passes as a bound one', async () => {
  const { world, who } = await aCluster();
  const claims = {
    iss: API,
    aud: [API],
    'kubernetes.io': { namespace: 'ci', serviceaccount: { name: 'runner', uid: 'account-uid' } },
  };

  assert.equal(await who(signJwt(world.signatures, world.key, claims)), undefined);
});

test('A token whose time has not come is refused until it has', async () => {
  const { world, who, read } = await aCluster();
  const from = world.clock.now() / 1000 + 60;
  const claims = {
    iss: API,
    aud: [API],
    exp: from + 600,
    nbf: from,
    'kubernetes.io': { namespace: 'ci', serviceaccount: { name: 'runner', uid: 'account-uid' } },
  };
  const token = signJwt(world.signatures, world.key, claims);

  const early = [await who(token), read(token, [API])];
  await world.clock.advance(seconds(60));

  assert.deepEqual(early, [undefined, { kind: 'refused', why: 'service account token is not valid yet' }]);
  assert.equal((await who(token))?.name, 'system:serviceaccount:ci:runner');
});

const refusals: readonly (readonly [string, JsonObject, JsonObject | undefined, RegExp])[] = [
  [
    'under ten minutes',
    { expirationSeconds: 599 },
    undefined,
    /^422 TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes$/,
  ],
  [
    'over 2^32 seconds',
    { expirationSeconds: 2 ** 33 },
    undefined,
    /may not specify a duration larger than 2\^32 seconds$/,
  ],
  [
    'for an earlier Pod of that name',
    { boundObjectRef: { ...podRef, uid: 'older' } },
    pod,
    /^409 Operation cannot be fulfilled on Pod "vm": the UID in the bound object reference \(older\) does not match the UID in record/,
  ],
  [
    'for a Pod of another account',
    { boundObjectRef: podRef },
    { ...pod, spec: { serviceAccountName: 'x' } },
    /^400 cannot bind token for serviceaccount "runner" to pod running with different serviceaccount name\.$/,
  ],
  [
    'bound to a ConfigMap',
    { boundObjectRef: { apiVersion: 'v1', kind: 'ConfigMap', name: 'x' } },
    {},
    /^400 cannot bind token to object of type \/v1, Kind=ConfigMap$/,
  ],
];

for (const [what, spec, bound, message] of refusals) {
  test(`A token ${what} is not issued`, async () => {
    const { world } = await aCluster();

    const answer = await tokenIssuer(world).issue({ serviceAccount: runner, spec, bound });

    assert.ok('refused' in answer);
    assert.match(`${answer.refused.code} ${answer.refused.message}`, message);
  });
}

test("A Secret's token holds as long as that Secret holds it", async () => {
  const { world, who } = await aCluster();
  const account = { name: 'runner', uid: 'account-uid' };
  const token = mintSecretToken(world, { namespace: 'ci', account, secret: { name: 'runner-token' } });
  const secret = (held: string): JsonObject => ({
    metadata: { namespace: 'ci', name: 'runner-token' },
    data: { token: Buffer.from(held).toString('base64') },
  });
  const unstored = await who(token);

  world.stored.put('secrets', secret(token));
  const stored = await who(token);
  world.clock.jumpWall(seconds(365 * 86_400));
  const yearLater = await who(token);
  world.stored.put('secrets', secret('rotated'));

  assert.equal(unstored, undefined);
  assert.equal(stored?.name, 'system:serviceaccount:ci:runner');
  assert.deepEqual(yearLater, stored);
  assert.equal(await who(token), undefined);
});

test('A certificate counts before a token; a static token names its user; nobody is anonymous', async () => {
  const { asks, who } = await aCluster();
  const bearer = { authorization: 'bearer let-me-in' };
  const certificate = { commonName: 'system:node:mac-0', organizations: ['system:nodes'] };

  assert.deepEqual(await asks.authenticate(bearer, certificate), {
    name: 'system:node:mac-0',
    groups: ['system:nodes', 'system:authenticated'],
  });
  assert.deepEqual(await asks.authenticate(bearer, undefined), {
    name: 'admin',
    groups: ['system:masters', 'system:authenticated'],
  });
  assert.deepEqual(await asks.authenticate({}, undefined), {
    name: 'system:anonymous',
    groups: ['system:unauthenticated'],
  });
  assert.equal((await asks.authenticate({ authorization: 'Basic eDp5' }, undefined))?.name, 'system:anonymous');
  assert.equal(await who('wrong'), undefined);
});

test('Claims are laid out as kube-apiserver lays them out', async () => {
  const { issue } = await aCluster();

  const claims = parseJwt(await issue({ boundObjectRef: podRef }, pod))?.claims ?? {};

  assert.deepEqual(objectAt(claims, 'kubernetes.io'), {
    namespace: 'ci',
    node: { name: 'mac-0', uid: 'node-uid' },
    pod: { name: 'vm', uid: 'pod-uid' },
    serviceaccount: { name: 'runner', uid: 'account-uid' },
  });
  assert.equal(textAt(claims, 'sub'), 'system:serviceaccount:ci:runner');
  assert.deepEqual(claims.aud, [API]);
  assert.equal(claims.nbf, claims.iat);
});
