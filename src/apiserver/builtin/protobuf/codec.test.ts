import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleOf } from '../samples-double.ts';
import wire from '../tables/wire.generated.json' with { type: 'json' };
import { protobufCodec } from './codec.ts';
import { Reader } from './reader.ts';

const { encode, decode, encodeWatchEvent, knows } = protobufCodec;

/** Kinds that protobuf carries and whose fields lie in a message (not a watch event, whose object is an envelope). */
const kinds = Object.keys(wire.kinds)
  .map(key => ({ apiVersion: key.slice(0, key.lastIndexOf('/')), kind: key.slice(key.lastIndexOf('/') + 1) }))
  .filter(({ kind }) => !['WatchEvent', 'Table', 'List'].includes(kind));

test('every built-in kind comes back whole from protobuf, with every field filled in', () => {
  for (const { apiVersion, kind } of kinds) {
    const sample = sampleOf(apiVersion, kind);

    assert.deepEqual(decode(encode(sample)), sample, `${apiVersion} ${kind}`);
  }
  assert.ok(kinds.length > 250, `only ${kinds.length} kinds`);
});

test('zero values that Go leaves out do not appear, those that it writes do', () => {
  const pod = {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { name: 'web', labels: {} },
    spec: {
      nodeName: '',
      terminationGracePeriodSeconds: 0,
      containers: [{ name: 'a', env: [{ name: 'E', value: '' }] }],
    },
  };

  assert.deepEqual(decode(encode(pod)), {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { name: 'web' },
    spec: { terminationGracePeriodSeconds: 0, containers: [{ name: 'a', env: [{ name: 'E' }], resources: {} }] },
    status: {},
  });
});

test('a label called __proto__ is a label', () => {
  const object = JSON.parse('{"kind":"ConfigMap","apiVersion":"v1","metadata":{"labels":{"__proto__":"x"}}}');

  const labels = JSON.stringify(decode(encode(object)).metadata);

  assert.equal(labels, '{"labels":{"__proto__":"x"}}');
});

test("a message that a Go client wrote is understood: a Namespace as kubectl's create sends it", () => {
  const metadata = Buffer.concat([field(1, 'ci'), field(2, ''), field(3, ''), field(8, '')]);
  const namespace = Buffer.concat([field(1, metadata), field(2, ''), field(3, field(1, ''))]);
  const typeMeta = Buffer.concat([field(1, 'v1'), field(2, 'Namespace')]);
  const bytes = Buffer.concat([
    Buffer.from('k8s\0'),
    field(1, typeMeta),
    field(2, namespace),
    field(3, ''),
    field(4, ''),
  ]);

  assert.deepEqual(decode(bytes), {
    kind: 'Namespace',
    apiVersion: 'v1',
    metadata: { name: 'ci' },
    spec: {},
    status: {},
  });
});

test('numbers packed into one field are read like numbers in fields of their own', () => {
  const packed = field(4, Buffer.from([5, 0x80, 0x01]));
  const apart = Buffer.from([0x20, 5, 0x20, 0x80, 0x01]);

  const groups = [packed, apart].map(securityContext => {
    const spec = field(14, securityContext);
    const typeMeta = Buffer.concat([field(1, 'v1'), field(2, 'Pod')]);
    const pod = decode(Buffer.concat([Buffer.from('k8s\0'), field(1, typeMeta), field(2, field(2, spec))]));
    return JSON.stringify(pod.spec);
  });

  assert.deepEqual(groups, Array(2).fill('{"containers":null,"securityContext":{"supplementalGroups":[5,128]}}'));
});

test('a watch frame is its length, its type and the envelope of its object', () => {
  const lease = sampleOf('coordination.k8s.io/v1', 'Lease');

  const frame = encodeWatchEvent('MODIFIED', lease);

  const reader = new Reader(frame, 4);
  assert.equal(Buffer.from(frame).readUInt32BE(0), frame.length - 4);
  assert.equal(reader.next()?.number, 1);
  assert.equal(reader.string(), 'MODIFIED');
  assert.equal(reader.next()?.number, 2);
  const extension = reader.message();
  assert.equal(extension.next()?.number, 1);
  assert.deepEqual(decode(extension.bytes()), lease);
});

test('bytes that are no such message are refused in one sentence', () => {
  const good = Buffer.from(encode(sampleOf('v1', 'Pod')));
  for (let length = 0; length < good.length; length += 7) {
    assert.throws(
      () => decode(good.subarray(0, length)),
      /^BadMessage: (unexpected EOF|empty data|protobuf|provided data|no kind)/,
    );
  }
  assert.throws(() => decode(Buffer.from('{"kind":"Pod"}')), /does not appear to be a protobuf message/);
});

test('messages nested without end are refused before the stack ends', () => {
  let schema: Buffer = Buffer.alloc(0);
  for (let depth = 0; depth < 5000; depth++) schema = field(28, schema);
  const crd = field(2, field(7, field(4, field(1, schema))));
  const typeMeta = Buffer.concat([field(1, 'apiextensions.k8s.io/v1'), field(2, 'CustomResourceDefinition')]);

  assert.throws(
    () => decode(Buffer.concat([Buffer.from('k8s\0'), field(1, typeMeta), field(2, crd)])),
    /nested deeper/,
  );
});

test('a whole number that no double holds is refused by the name of its field, others are read to the digit', () => {
  const seconds = (varint: string): Buffer => {
    const spec = field(2, Buffer.from(`20${varint}`, 'hex'));
    const typeMeta = Buffer.concat([field(1, 'v1'), field(2, 'Pod')]);
    return Buffer.concat([Buffer.from('k8s\0'), field(1, typeMeta), field(2, spec)]);
  };

  assert.deepEqual(decode(seconds('8280808080808010')).spec, {
    containers: null,
    terminationGracePeriodSeconds: 2 ** 53 + 2,
  });
  assert.throws(
    () => decode(seconds('8180808080808010')),
    /terminationGracePeriodSeconds: whole number 9007199254740993/,
  );
});

test('kinds without a table are not known', () => {
  assert.equal(knows('v1', 'Pod'), true);
  assert.equal(knows('example.com/v1', 'Pod'), false);
  assert.equal(knows('v1', 'constructor'), false);
});

/** A length-delimited field, written by hand. */
function field(number: number, value: string | Buffer): Buffer {
  const body = Buffer.from(value);
  const tag = number < 16 ? [number * 8 + 2] : [((number * 8 + 2) & 0x7f) | 0x80, (number * 8 + 2) >> 7];
  const length: number[] = [];
  let rest = body.length;
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) length.push((rest & 0x7f) | 0x80);
  return Buffer.concat([Buffer.from([...tag, ...length, rest]), body]);
}
