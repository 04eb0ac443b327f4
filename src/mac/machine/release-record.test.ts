import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../../kube/object.ts';
import {
  CLEAN_START,
  cleanStartOf,
  HOST_RELEASE,
  recordCleanStart,
  recordRelease,
  releaseOf,
} from './release-record.ts';

const HOST = 'scw-applesilicon://fr-par-1/0c5e';
const atMs = Date.parse('2026-09-01T10:00:00Z');

function machine(parts: { annotations?: Record<string, string>; status?: unknown }): KubeObject {
  const { annotations = {}, status } = parts;
  return {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1alpha1',
    kind: 'ScalewayAppleSiliconMachine',
    metadata: { name: 'mac-0', namespace: 'macs', annotations },
    ...(status === undefined ? {} : { status }),
  } as KubeObject;
}

test('a release survives a move, which restores annotations but no status', () => {
  const { annotations } = recordRelease(HOST, { seen: 'reinstalling', atMs });

  const moved = machine({ annotations: annotations as Record<string, string> });

  assert.deepEqual(releaseOf(moved), { hostId: HOST, time: '2026-09-01T10:00:00Z', seen: 'reinstalling' });
});

test('a release that only the status has counts too', () => {
  const { status } = recordRelease(HOST, { seen: 'absent', atMs });

  assert.equal(releaseOf(machine({ status }))?.seen, 'absent');
});

test('a clean start is recorded with the time at which it began', () => {
  const { annotations } = recordCleanStart(Date.parse('2026-09-01T09:59:30Z'), HOST);

  const record = cleanStartOf(machine({ annotations: annotations as Record<string, string> }));

  assert.deepEqual(record, { hostId: HOST, time: '2026-09-01T09:59:30Z' });
});

test('what cannot be read is no record', () => {
  const texts = ['', 'released', '{}', '{"hostId":"x"}', '{"hostId":"x","time":"soon","seen":"y"}', 'null', '[]'];

  for (const text of texts) {
    const object = machine({ annotations: { [HOST_RELEASE]: text, [CLEAN_START]: text } });

    assert.equal(releaseOf(object), undefined, text);
    assert.equal(cleanStartOf(object), undefined, text);
  }
});
