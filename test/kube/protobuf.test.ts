import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { protobufCodec } from '../../src/apiserver/builtin/index.ts';
import { objectsToStore } from '../../src/apiserver/builtin/objects-double.ts';
import { Reader } from '../../src/apiserver/builtin/protobuf/reader.ts';
import type { JsonObject } from '../../src/apiserver/parts.ts';
import { get, send } from './https.ts';
import { type RealKube, startRealKube } from './real.ts';

const PROTOBUF = 'application/vnd.kubernetes.protobuf';

let kube: RealKube;
before(async () => {
  kube = await startRealKube({ controllers: [] });
});
after(() => kube.stop());

test('objects that the real server sends as protobuf read like those that it sends as JSON', async () => {
  for (const { path, object } of objectsToStore) {
    const created = await call('POST', path, 'application/json', JSON.stringify(object));
    assert.equal(created.status, 201, `${path}: ${created.body}`);

    const { asJson, asProtobuf } = await bothForms(`${kube.url}${path}/${nameOf(object)}`);

    assert.deepEqual(asProtobuf, asJson, path);
  }
});

test('lists of every built-in resource read the same in both forms', async () => {
  const core = JSON.parse((await get(`${kube.url}/api/v1`, access())).body.toString());
  for (const { name, verbs } of core.resources) {
    if (!verbs.includes('list') || name === 'componentstatuses') continue;
    const asJson = JSON.parse((await get(`${kube.url}/api/v1/${name}`, access())).body.toString());
    const asProtobuf = protobufCodec.decode((await get(`${kube.url}/api/v1/${name}`, access(), PROTOBUF)).body);

    assert.deepEqual(asProtobuf.items ?? [], asJson.items, name);
  }
});

test('objects that we write as protobuf are stored by the real server as meant', async () => {
  for (const { path, object } of objectsToStore) {
    const named = { ...object, metadata: { ...(object.metadata as JsonObject), name: `${nameOf(object)}-2` } };
    const asJson = await call('POST', `${path}?dryRun=All`, 'application/json', JSON.stringify(named));
    const asProtobuf = await call('POST', `${path}?dryRun=All`, PROTOBUF, protobufCodec.encode(named));

    assert.equal(asProtobuf.status, asJson.status, `${path}: ${asProtobuf.body}`);
    assert.deepEqual(comparable(asProtobuf.body), comparable(asJson.body), path);
  }
});

test('frames of a watch are laid out as ours are', async () => {
  const url = `${kube.url}/api/v1/namespaces?watch=1&timeoutSeconds=1&fieldSelector=metadata.name=default`;
  const accept = 'application/vnd.kubernetes.protobuf;stream=watch';
  const frames = (await get(url, access(), accept)).body;
  const asJson = JSON.parse((await get(`${kube.url}/api/v1/namespaces/default`, access())).body.toString());

  const length = frames.readUInt32BE(0);
  const ours = protobufCodec.encodeWatchEvent('ADDED', asJson);

  assert.deepEqual(opened(frames.subarray(4, 4 + length)), opened(ours.subarray(4)));
});

/** Type and object of one frame. */
function opened(frame: Uint8Array): unknown {
  const reader = new Reader(frame);
  reader.next();
  const type = reader.string();
  reader.next();
  const extension = reader.message();
  extension.next();
  return { type, object: protobufCodec.decode(extension.bytes()) };
}

const access = () => ({ ca: kube.caPem, token: kube.adminToken });

const call = (method: string, path: string, contentType: string, body: string | Uint8Array) =>
  send(`${kube.url}${path}`, { ...access(), method, headers: { 'content-type': contentType }, body });

/** One version of an object in both forms: the server itself may write to it (a CRD's status) between two reads. */
async function bothForms(url: string): Promise<{ asJson: JsonObject; asProtobuf: JsonObject }> {
  const asJson = JSON.parse((await get(url, access())).body.toString());
  const asProtobuf = protobufCodec.decode((await get(url, access(), PROTOBUF)).body);
  return versionOf(asJson) === versionOf(asProtobuf) ? { asJson, asProtobuf } : bothForms(url);
}

const versionOf = (object: JsonObject): unknown => (object.metadata as JsonObject).resourceVersion;

const nameOf = (object: JsonObject): string => String((object.metadata as JsonObject).name);

/** What differs between any two writes goes: identity, times, allocated addresses and who wrote what when. */
function comparable(body: Buffer): unknown {
  const object = JSON.parse(body.toString());
  delete object.metadata.uid;
  delete object.metadata.creationTimestamp;
  delete object.metadata.managedFields;
  delete object.metadata.resourceVersion;
  delete object.spec?.clusterIP;
  delete object.spec?.clusterIPs;
  const text = JSON.stringify(object).replaceAll(/kube-api-access-\w+/g, 'kube-api-access');
  return JSON.parse(text.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'some-uid'));
}
