import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Resource } from '../../parts.ts';
import { defaultAdmission } from '../admission.ts';
import { objectAt } from '../json.ts';
import { objectsToStore } from '../objects-double.ts';
import recorded from '../recorded/defaults.generated.json' with { type: 'json' };
import { resources } from '../resources.ts';
import { builtinSchema } from '../schema-work.ts';
import { shownDefaults } from '../shown-defaults-double.ts';

/** The handler's own strategies complete these. */
const NOT_OURS = new Set(['Namespace', 'Secret', 'ServiceAccount', 'Job']);
const answers: Readonly<Record<string, unknown>> = recorded;

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

for (const { path, object } of objectsToStore) {
  const metadata = objectAt(object, 'metadata');
  if (NOT_OURS.has(String(object.kind))) continue;
  test(`${object.kind} ${metadata.name}: what is not said is filled in as on the real server`, () => {
    const resource = resourceOf(path);
    const uid = '00000000-0000-0000-0000-000000000000';

    const { object: normal, unknownFields } = builtinSchema.normalize(resource, {
      ...object,
      metadata: { ...metadata, uid },
    });
    const admitted = defaultAdmission({ ...CREATE, resource, object: normal });

    assert.deepEqual(unknownFields, []);
    assert.ok('object' in admitted && admitted.object !== undefined);
    assert.deepEqual(shownDefaults(admitted.object), answers[`${path}/${metadata.name}`]);
  });
}

function resourceOf(path: string): Resource {
  const found = resources.find(({ group, version, plural }) => {
    const root = group === '' ? `/api/${version}/` : `/apis/${group}/${version}/`;
    return path.startsWith(root) && path.endsWith(`/${plural}`);
  });
  assert.ok(found !== undefined, path);
  return found;
}
