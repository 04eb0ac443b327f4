import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PippinError } from '../../base/errors.ts';
import { renderMetaData } from './index.ts';
import type { MetaData } from './input.ts';
import { aHost, anInput } from './world.testing.ts';

test('a template without metadata renders none', () => {
  assert.equal(renderMetaData(anInput({})), undefined);
});

test('an object is named in any case, as v1beta1 lets it', () => {
  const metaData = asV1beta1({ objectNames: [{ key: 'a', object: 'machine' }] }, 'Machine');

  assert.equal(renderMetaData(anInput({ metaData })), 'a: machine-0\nproviderid: metal3/host-0/m3m-0\n');
});

interface Refusal {
  readonly title: string;
  readonly metaData: MetaData;
  readonly says: string;
}

const OBJECTS = 'it is none of machine, metal3machine, baremetalhost';
const NO_ADDRESS = 'no address of this pool is there';

const REFUSALS: readonly Refusal[] = [
  {
    title: 'an interface that the host does not have',
    metaData: { fromHostInterfaces: [{ key: 'a', interface: 'eth9' }] },
    says: 'spec.metaData.fromHostInterfaces[0].interface "eth9": host metal3/host-0 has no such interface',
  },
  ...(['ipAddressesFromPool', 'prefixesFromPool', 'gatewaysFromPool'] as const).map(list => ({
    title: `a pool of ${list} that gave no address`,
    metaData: { [list]: [{ key: 'a', name: 'unknown' }] },
    says: `spec.metaData.${list}[0].name "unknown": ${NO_ADDRESS}`,
  })),
  {
    title: 'a name of an object that there is none of',
    metaData: asV1beta1({ objectNames: [{ key: 'a', object: 'machine' }] }, 'baremetalhost2'),
    says: `spec.metaData.objectNames[0].object "baremetalhost2": ${OBJECTS}`,
  },
  {
    title: 'a label of an object that there is none of',
    metaData: asV1beta1({ fromLabels: [{ key: 'a', object: 'machine', label: 'rack' }] }, 'baremetalhost2'),
    says: `spec.metaData.fromLabels[0].object "baremetalhost2": ${OBJECTS}`,
  },
  {
    title: 'an annotation of an object that there is none of',
    metaData: asV1beta1({ fromAnnotations: [{ key: 'a', object: 'machine', annotation: 'note' }] }, 'baremetalhost2'),
    says: `spec.metaData.fromAnnotations[0].object "baremetalhost2": ${OBJECTS}`,
  },
  {
    title: 'a text with a character that YAML has no place for',
    metaData: { strings: [{ key: 'a', value: 'bell \u0080' }] },
    says: 'metaData.a: the character U+0080 cannot be written as YAML',
  },
];

for (const { title, metaData, says } of REFUSALS) {
  test(`${title} is refused by its field`, () => {
    assert.throws(() => renderMetaData(anInput({ metaData })), saying(says));
  });
}

test('the boot MAC of a host that has none is refused by its field', () => {
  const metaData: MetaData = { fromHostInterfaces: [{ key: 'a', fromBootMAC: true }] };

  assert.throws(
    () => renderMetaData(anInput({ metaData }, { host: aHost({ spec: { bootMACAddress: '' } }) })),
    saying('spec.metaData.fromHostInterfaces[0].fromBootMAC: host metal3/host-0 has no spec.bootMACAddress'),
  );
});

const saying =
  (says: string) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof PippinError);
    assert.equal(error.message, says);
    return true;
  };

/** v1beta1 takes any text for an object where v1beta2 has a list of three. */
function asV1beta1(metaData: MetaData, object: string): MetaData {
  return JSON.parse(JSON.stringify(metaData).replace('"machine"', JSON.stringify(object)));
}
