// Rights on a real kube-apiserver: the same verdicts as the embedded API gives, verb by verb and request by request (safe-18).

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { httpTransport } from '../../src/adapters/http/client.ts';
import { realKeys } from '../../src/adapters/keys/index.ts';
import { systemClock } from '../../src/adapters/system/clock.ts';
import type { Attributes } from '../../src/apiserver/parts.ts';
import { installManifests, ipamIdentity, managerIdentity, metalIdentity } from '../../src/fleet/manifests.ts';
import { client } from '../../src/kube/client.ts';
import type { Transport } from '../../src/kube/transport.ts';
import { type Ask, asking } from '../rights/node/asking.ts';
import { type Embedded, embeddedApi } from '../rights/node/embedded.ts';
import { isKnown, makeObjects, OWN } from '../rights/node/objects.ts';
import { type Player, playVerbs } from '../rights/node/play.ts';
import { verbs } from '../rights/node/verbs.ts';
import { askText, Rights } from '../rights/record.ts';
import { runs } from '../rights/runs.ts';
import { type RealKube, startRealKube } from './real.ts';

const FILES = ['macProvider', 'agent', 'clusterApi', 'metal', 'ipam'] as const;

/** Whose requests are looked at, each under the account of its own. */
const PROGRAMS = [managerIdentity, metalIdentity, ipamIdentity];

let kube: RealKube;
let embedded: Embedded;
let admin: Transport;

before(async () => {
  // No controller approves or signs: the verbs of the Node alone are looked at.
  kube = await startRealKube({ controllers: [] });
  admin = httpTransport({ server: kube.url, caPem: kube.caPem, token: () => Promise.resolve(kube.adminToken) });
  await installManifests(client(admin, { clock: systemClock }), FILES);
  embedded = await embeddedApi(FILES);
});

after(async () => {
  await embedded?.close();
  await kube?.stop();
});

/** The agent comes with a client certificate that the cluster's authority signed. */
async function realPlayer(): Promise<Player> {
  const { certificate, key } = await kube.authority.client(`system:node:${OWN}`, ['system:nodes']);
  const access = { server: kube.url, caPem: kube.caPem, clientCertificatePem: certificate, clientKeyPem: key };
  return {
    admin: asking(admin),
    node: asking(httpTransport(access)),
    request: async commonName => {
      const pem = await realKeys.signingRequest(await realKeys.pair(), commonName, ['system:nodes']);
      return Buffer.from(pem).toString('base64');
    },
  };
}

test('an agent with a certificate is allowed and refused the same on both APIs, verb by verb', async () => {
  const player = await realPlayer();
  await makeObjects(player.admin);
  while (!(await isKnown(player.node))) await systemClock.sleep(100);

  const real = await playVerbs(player);

  assert.deepEqual(
    real.map(({ says, code }) => `${says}: ${code}`),
    verbs.map(({ says, code }) => `${says}: ${code}`),
  );
  assert.deepEqual(await playVerbs(embedded.player), real);
});

test('what each program asks is allowed by its role, and judged the same, on both APIs', async () => {
  const rights = new Rights();
  for (const run of runs) await run.record(rights);
  const asked = PROGRAMS.flatMap(({ name }) => {
    const all = rights.asked.filter(({ identity }) => identity.name === name);
    assert.ok(all.length > 20, `${name}: ${all.length} requests`);
    return all;
  });

  const verdicts = async (ask: Ask): Promise<readonly string[]> => {
    const all: string[] = [];
    for (const each of [...asked, ...asked.map(turned)]) all.push(`${askText(each)}: ${await isAllowed(each, ask)}`);
    return all;
  };
  const real = await verdicts(asking(admin));

  assert.deepEqual(
    real.slice(0, asked.length).filter(text => !text.endsWith(': true')),
    [],
  );
  assert.deepEqual(await verdicts(embedded.player.admin), real);
});

/** The same, but with a verb that the program does not need there: most of these are refused. */
const turned = (ask: Attributes): Attributes => ({
  ...ask,
  verb: ask.verb === 'update' ? 'deletecollection' : 'update',
});

async function isAllowed({ identity, verb, path, ...what }: Attributes, ask: Ask): Promise<boolean> {
  const { group, version, resource, subresource, namespace, name } = what;
  const attributes =
    resource === ''
      ? { nonResourceAttributes: { verb, path } }
      : { resourceAttributes: { verb, group, version, resource, subresource, namespace, name } };
  const answer = await ask({
    method: 'POST',
    path: '/apis/authorization.k8s.io/v1/subjectaccessreviews',
    body: {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      spec: { user: identity.name, groups: identity.groups, ...attributes },
    },
  });
  assert.equal(answer.code, 201, JSON.stringify(answer.body));
  return (answer.body.status as { readonly allowed?: boolean }).allowed === true;
}
