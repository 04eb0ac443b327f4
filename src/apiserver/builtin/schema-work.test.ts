import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refusal } from '../answer/status.ts';
import type { JsonObject, Resource } from '../parts.ts';
import { objectAt, objectsAt } from './json.ts';
import { malformedCases } from './malformed-double.ts';
import recorded from './recorded/malformed.generated.json' with { type: 'json' };
import { resources } from './resources.ts';
import { builtinSchema } from './schema-work.ts';

const answers: Readonly<Record<string, unknown>> = recorded;

test('a Pod of one line gets what the real server fills in', () => {
  const { object } = normalize('pods', {
    spec: { containers: [{ name: 'a', image: 'a', ports: [{ containerPort: 1 }] }] },
  });

  assert.deepEqual(object.spec, {
    containers: [
      {
        name: 'a',
        image: 'a',
        ports: [{ containerPort: 1, protocol: 'TCP' }],
        resources: {},
        terminationMessagePath: '/dev/termination-log',
        terminationMessagePolicy: 'File',
        imagePullPolicy: 'Always',
      },
    ],
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    securityContext: {},
    schedulerName: 'default-scheduler',
    enableServiceLinks: true,
  });
});

test('what the author said stays, zero and false included', () => {
  const said = { terminationGracePeriodSeconds: 0, enableServiceLinks: false, restartPolicy: 'Never' };

  const { object } = normalize('pods', { spec: { ...said, containers: [{ name: 'a', imagePullPolicy: 'Never' }] } });

  const spec = objectAt(object, 'spec');
  assert.deepEqual({ ...said, ...spec }, spec);
  assert.equal(objectsAt(spec, 'containers')[0]?.imagePullPolicy, 'Never');
});

test('images without a tag, and those called latest, are pulled always; others and digests when missing', () => {
  const policies = ['a', 'r.io:5000/a', 'a:latest', 'a:1', 'a@sha256:00', 'r.io:5000/a:1'].map(image => {
    const { object } = normalize('pods', { spec: { containers: [{ name: 'a', image }] } });
    return objectsAt(objectAt(object, 'spec'), 'containers')[0]?.imagePullPolicy;
  });

  assert.deepEqual(policies, ['Always', 'Always', 'Always', 'IfNotPresent', 'IfNotPresent', 'IfNotPresent']);
});

test('a Pod requests what it is limited to; a template is left as it is', () => {
  const spec = {
    containers: [{ name: 'a', resources: { limits: { cpu: '2', memory: '1Gi' }, requests: { cpu: '1' } } }],
  };

  const pod = normalize('pods', { spec });
  const deployment = normalize('deployments', { spec: { template: { spec } } });

  const template = objectAt(objectAt(objectAt(deployment.object, 'spec'), 'template'), 'spec');
  assert.deepEqual(requestsIn(objectAt(pod.object, 'spec')), { cpu: '1', memory: '1Gi' });
  assert.deepEqual(requestsIn(template), { cpu: '1' });
});

test('a Deployment rolls by quarters', () => {
  const { object } = normalize('deployments', { spec: {} });

  const { replicas, strategy, revisionHistoryLimit, progressDeadlineSeconds } = objectAt(object, 'spec');
  assert.deepEqual(
    { replicas, strategy, revisionHistoryLimit, progressDeadlineSeconds },
    {
      replicas: 1,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
    },
  );
});

test('unknown fields are dropped and named where they stand', () => {
  const { object, unknownFields } = normalize('pods', {
    colour: 'red',
    spec: { containers: [{ name: 'a' }, { name: 'b', env: [{ name: 'E', vlaue: '1' }] }] },
  });

  assert.deepEqual(unknownFields, ['colour', 'spec.containers[1].env[0].vlaue']);
  assert.equal(JSON.stringify(object).includes('vlaue'), false);
});

test('nulls and empty values that Go leaves out are left out', () => {
  const { object } = normalize('configmaps', {
    metadata: { name: 'a', labels: null, annotations: {}, creationTimestamp: null },
    data: { a: '' },
  });

  assert.deepEqual(object, { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a' }, data: { a: '' } });
});

for (const [says, { kind, plural, object }] of Object.entries(malformedCases)) {
  test(`${says} is refused in the words of Go's decoder`, () => {
    const wanted: unknown = answers[says];

    assert.deepEqual(refusalOf(plural, kind, object), wanted);
  });
}

test('times and quantities are written in their canonical form', () => {
  const lease = normalize('leases', { spec: { renewTime: '2024-01-02T03:04:05.100000+01:00' } });
  const pod = normalize('pods', {
    metadata: { deletionTimestamp: '2024-01-02T03:04:05.9+02:00' },
    spec: { containers: [{ name: 'a', resources: { requests: { cpu: 0.5, memory: '1024Mi' } } }] },
  });

  assert.deepEqual(lease.object.spec, { renewTime: '2024-01-02T02:04:05.100000Z' });
  assert.deepEqual(pod.object.metadata, { deletionTimestamp: '2024-01-02T01:04:05Z' });
  assert.deepEqual(requestsIn(objectAt(pod.object, 'spec')), { cpu: '500m', memory: '1Gi' });
});

/** What the handler answers under strict field validation. */
function refusalOf(plural: string, kind: string, object: JsonObject): unknown {
  try {
    const { unknownFields } = normalize(plural, object);
    const fields = unknownFields.map(field => `unknown field ${JSON.stringify(field)}`).join(', ');
    const message = `${kind} in version "v1" cannot be handled as a ${kind}: strict decoding error: ${fields}`;
    return { message, reason: 'BadRequest', code: 400 };
  } catch (error) {
    assert.ok(error instanceof Refusal);
    const { message, reason, code } = error.status;
    return { message, reason, code };
  }
}

function requestsIn(podSpec: JsonObject): JsonObject {
  return objectAt(objectAt(objectsAt(podSpec, 'containers')[0] ?? {}, 'resources'), 'requests');
}

function resourceOf(plural: string): Resource {
  const found = resources.find(resource => resource.plural === plural);
  if (found === undefined) throw new Error(plural);
  return found;
}

function normalize(plural: string, object: JsonObject): ReturnType<typeof builtinSchema.normalize> {
  const resource = resourceOf(plural);
  const apiVersion = resource.group === '' ? resource.version : `${resource.group}/${resource.version}`;
  return builtinSchema.normalize(resource, { kind: resource.kind, apiVersion, ...object });
}
