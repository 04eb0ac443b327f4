// A Metal3RemediationTemplate that is left alone: paused, moved or on its way out, it shows nothing new.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { minutes, seconds } from '../../base/clock.ts';
import { Metal3Remediation } from '../../kinds/generated/metal3-remediation.generated.ts';
import { Metal3RemediationTemplate } from '../../kinds/generated/metal3-remediation-template.generated.ts';
import { DELETE_FOR_MOVE, PAUSED_ANNOTATION } from '../../kinds/wire.ts';
import { keyController } from '../../kube/run.ts';
import { at, put } from '../objects.testing.ts';
import { aMetalTest, type MetalTest } from '../workload/world.testing.ts';
import { metal3RemediationTemplate } from './template.ts';

let metal: MetalTest;

const strategy = { type: 'Reboot', retryLimit: 1, timeoutSeconds: 300 } as const;

beforeEach(async () => {
  metal = await aMetalTest([Metal3Remediation, Metal3RemediationTemplate]);
  metal.run(keyController(metal3RemediationTemplate));
  const metadata = { finalizers: ['test/holds'] };
  await put(metal.api, Metal3RemediationTemplate, 't', { metadata, spec: { template: { spec: { strategy } } } });
});
afterEach(() => metal.stop());

async function shown(): Promise<unknown> {
  const annotations = {
    'cluster.x-k8s.io/cloned-from-name': 't',
    'cluster.x-k8s.io/cloned-from-groupkind': 'Metal3RemediationTemplate.infrastructure.cluster.x-k8s.io',
  };
  const status = { phase: 'Running', lastRemediated: '2026-01-01T00:00:00Z' } as const;
  await put(metal.api, Metal3Remediation, 'r', { metadata: { annotations }, spec: { strategy }, status });
  await metal.pass(minutes(30));
  return (await metal.api.get(Metal3RemediationTemplate, at('t'))).status?.status?.phase;
}

const annotate = (annotation: string, value: string | null): Promise<unknown> =>
  metal.api.patch(Metal3RemediationTemplate, at('t'), { metadata: { annotations: { [annotation]: value } } });

for (const [name, leave] of [
  ['being moved', () => annotate(DELETE_FOR_MOVE, '')],
  ['on its way out', () => metal.api.delete(Metal3RemediationTemplate, at('t'))],
] as const) {
  test(`a template ${name} is not written (metal-7.13)`, async () => {
    await leave();

    assert.equal(await shown(), undefined);
    assert.deepEqual(metal.writes, []);
  });
}

test('a paused template is not written until it is resumed', async () => {
  await annotate(PAUSED_ANNOTATION, '');
  assert.equal(await shown(), undefined);

  await annotate(PAUSED_ANNOTATION, null);
  await metal.pass(seconds(1));

  assert.equal((await metal.api.get(Metal3RemediationTemplate, at('t'))).status?.status?.phase, 'Running');
});
