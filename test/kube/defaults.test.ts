import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { builtinSchema, defaultAdmission, resources } from '../../src/apiserver/builtin/index.ts';
import { objectsToStore } from '../../src/apiserver/builtin/objects-double.ts';
import type { JsonObject, Resource } from '../../src/apiserver/parts.ts';
import { send } from './https.ts';
import { type RealKube, startRealKube } from './real.ts';

const CREATE = {
  attributes: {
    identity: { name: 'admin', groups: ['system:masters'] },
    verb: 'create',
    group: '',
    version: '',
    resource: '',
    subresource: '',
    namespace: '',
    name: '',
    path: '',
    fieldSelector: '',
    labelSelector: '',
  },
  old: undefined,
  dryRun: true,
};

/** The handler's own strategies fill these. */
const NOT_OURS = new Set(['Namespace', 'Secret', 'ServiceAccount']);

let kube: RealKube;
before(async () => {
  kube = await startRealKube({ controllers: [] });
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'builder' } };
  await create('/api/v1/namespaces/default/serviceaccounts', account);
});
after(() => kube.stop());

for (const { path, object } of objectsToStore) {
  if (NOT_OURS.has(String(object.kind))) continue;
  test(`${object.kind} in ${object.apiVersion}: what is not said is filled in as on the real server`, async () => {
    const real = await create(`${path}?dryRun=All`, object);
    assert.notEqual(real.kind, 'Status', JSON.stringify(real));

    const { uid } = real.metadata as { uid: string };
    const stamped = { ...object, metadata: { ...(object.metadata as JsonObject), uid } };

    const resource = resourceOf(path, object);
    const ours = builtinSchema.normalize(resource, stamped);
    const admitted = defaultAdmission({ ...CREATE, resource, object: ours.object });

    assert.deepEqual(ours.unknownFields, []);
    assert.deepEqual(comparable('object' in admitted ? admitted.object : undefined), comparable(real));
  });
}

function resourceOf(path: string, object: JsonObject): Resource {
  const plural = path.slice(path.lastIndexOf('/') + 1);
  const found = resources.find(
    ({ group, version, plural: own }) =>
      own === plural && (group === '' ? version : `${group}/${version}`) === object.apiVersion,
  );
  if (found === undefined) throw new Error(`no resource for ${path}`);
  return found;
}

async function create(path: string, object: JsonObject): Promise<JsonObject> {
  const answer = await send(`${kube.url}${path}`, {
    ca: kube.caPem,
    token: kube.adminToken,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(object),
  });
  return JSON.parse(answer.body.toString());
}

/** Without what the handler's strategies, allocators and the token volume's admission write. */
function comparable(object: JsonObject = {}): unknown {
  const { metadata, status, ...rest } = object;
  const text = JSON.stringify(rest, (key, value) => {
    if (['clusterIP', 'clusterIPs'].includes(key) && value !== 'None') return undefined;
    if (key === 'volumes' || key === 'volumeMounts') {
      const kept = value.filter((item: { name: string }) => !item.name.startsWith('kube-api-access'));
      return kept.length === 0 ? undefined : kept;
    }
    return value;
  });
  return JSON.parse(text);
}
