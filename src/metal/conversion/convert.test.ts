// What conversion makes of the things that the two versions of the Metal3 kinds say differently.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CONVERSION_DATA_ANNOTATION } from '../../kinds/metal-wire.ts';
import { convertMetal } from './convert.ts';
import { convertReview } from './review.ts';
import type { Fields } from './steps.ts';

const GROUP = 'infrastructure.cluster.x-k8s.io';
const OLDER = `${GROUP}/v1beta1`;
const NEWER = `${GROUP}/v1beta2`;

const raised = (kind: string, parts: Fields): Fields =>
  convertMetal({ apiVersion: OLDER, kind, metadata: { name: 'a' }, ...parts }, NEWER);
const lowered = (kind: string, parts: Fields): Fields =>
  convertMetal({ apiVersion: NEWER, kind, metadata: { name: 'a' }, ...parts }, OLDER);

test('Conditions of v1beta1 are kept as deprecated ones, and those under v1beta2 become the conditions', () => {
  const old = [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }];
  const now = [
    { type: 'Ready', status: 'False', reason: 'A', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' },
  ];

  const { status } = raised('Metal3Machine', {
    status: { ready: true, failureReason: 'x', conditions: old, v1beta2: { conditions: now } },
  });

  assert.deepEqual(status, {
    conditions: now,
    initialization: { provisioned: true },
    deprecated: { v1beta1: { conditions: old, failureReason: 'x' } },
  });
});

test('Failure domains and indexes are lists in v1beta2, in a fixed order', () => {
  const cluster = raised('Metal3Cluster', {
    spec: { failureDomains: { b: { controlPlane: true }, a: { attributes: { x: 'y' } } } },
  });
  const template = raised('Metal3DataTemplate', { status: { indexes: { late: 10, early: 2 } } });

  assert.deepEqual(cluster.spec, {
    failureDomains: [
      { name: 'a', attributes: { x: 'y' } },
      { name: 'b', controlPlane: true },
    ],
  });
  assert.deepEqual(template.status, {
    indexes: [
      { name: 'early', index: 2 },
      { name: 'late', index: 10 },
    ],
  });
});

test('A cluster that names its provider in the older way only is heard', () => {
  assert.deepEqual(raised('Metal3Cluster', { spec: { noCloudProvider: false } }).spec, { cloudProviderEnabled: true });
  assert.deepEqual(lowered('Metal3Cluster', { spec: { cloudProviderEnabled: true } }).spec, {
    cloudProviderEnabled: true,
    noCloudProvider: false,
  });
});

for (const [text, seconds, back] of [
  ['600s', 600, '10m0s'],
  ['1h2m3.9s', 3723, '1h2m3s'],
  ['100000ms', 100, '1m40s'],
] as const) {
  test(`A time-out of ${text} is ${seconds} seconds, and ${back} again`, () => {
    const { spec } = raised('Metal3Remediation', { spec: { strategy: { timeout: text } } });

    assert.deepEqual(spec, { strategy: { timeoutSeconds: seconds } });
    assert.deepEqual(lowered('Metal3Remediation', { spec }).spec, { strategy: { timeout: back } });
  });
}

for (const text of ['soon', '10', '', '5 m', 'm']) {
  test(`A time-out of "${text}" is none, and keeps nothing from being read`, () => {
    const { spec } = raised('Metal3Remediation', { spec: { strategy: { type: 'Reboot', timeout: text } } });

    assert.deepEqual(spec, { strategy: { type: 'Reboot' } });
  });
}

test('What v1beta1 cannot say travels in an annotation, and comes back without it', () => {
  const metadata = { labels: { a: 'b' } };
  const older = lowered('Metal3MachineTemplate', { spec: { template: { metadata, spec: { image: { url: '/a' } } } } });

  const newer = convertMetal(older, NEWER);

  assert.match(JSON.stringify(older.metadata), /conversion-data/);
  assert.deepEqual(newer.metadata, { name: 'a' });
  assert.deepEqual(newer.spec, { template: { metadata, spec: { image: { url: '/a' } } } });
});

test('Objects as upstream leaves them keep what its note says: not provisioned was not said, and no checksum was given', () => {
  const hub = JSON.stringify({ spec: { image: { url: '/a' } }, status: {} });

  const { metadata, spec, status } = raised('Metal3Machine', {
    metadata: { name: 'a', annotations: { [CONVERSION_DATA_ANNOTATION]: hub, other: 'x' } },
    spec: { image: { url: '/a', checksum: '', checksumType: '', format: '' }, hostSelector: {} },
    status: { ready: false },
  });

  assert.deepEqual(metadata, { name: 'a', annotations: { other: 'x' } });
  assert.deepEqual(spec, { image: { url: '/a' }, hostSelector: {} });
  assert.deepEqual(status, {});
});

test('A damaged note counts as none', () => {
  const annotations = { [CONVERSION_DATA_ANNOTATION]: '{"spec":' };

  const { metadata, spec } = raised('Metal3Machine', {
    metadata: { name: 'a', annotations },
    spec: { providerID: 'x' },
  });

  assert.deepEqual({ metadata, spec }, { metadata: { name: 'a' }, spec: { providerID: 'x' } });
});

test('A review is answered object by object, with its uid', () => {
  const object = { apiVersion: OLDER, kind: 'Metal3Data', metadata: { name: 'a-0' }, spec: { claim: { name: 'c' } } };

  const answer = convertReview({ request: { uid: 'u-1', desiredAPIVersion: NEWER, objects: [object] } });

  assert.deepEqual(answer.response, {
    uid: 'u-1',
    convertedObjects: [{ ...object, apiVersion: NEWER, spec: { index: 0, claim: { name: 'c' } } }],
    result: { status: 'Success' },
  });
});

test('A review of a kind that is not ours is refused with its name', () => {
  const object = { apiVersion: OLDER, kind: 'TuistCluster', metadata: { name: 'a' } };

  const { response } = convertReview({ request: { uid: 'u-1', desiredAPIVersion: NEWER, objects: [object] } });

  const message = `TuistCluster cannot be converted from ${OLDER} to ${NEWER}`;
  assert.deepEqual(response, { uid: 'u-1', convertedObjects: [], result: { status: 'Failure', message } });
});
