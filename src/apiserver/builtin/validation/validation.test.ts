import assert from 'node:assert/strict';
import { test } from 'node:test';
import { invalid } from '../../answer/status.ts';
import type { JsonObject } from '../../parts.ts';
import { defaultAdmission } from '../admission.ts';
import { objectAt } from '../json.ts';
import recorded from '../recorded/refusals.generated.json' with { type: 'json' };
import { resources } from '../resources.ts';
import { builtinSchema } from '../schema-work.ts';
import { type RefusalCase, refusalCases } from './cases-double.ts';

const answers: Readonly<Record<string, unknown>> = recorded;

/** The handler's own rules say these. */
const NOT_OURS = new Set(['secrets: another type']);

for (const refusal of refusalCases) {
  const name = `${refusal.plural}: ${refusal.says}`;
  if (NOT_OURS.has(name)) continue;
  test(name, () => {
    assert.deepEqual(causesOf(refusal), shown(answers[name]));
  });
}

/** The difference that Go prints after its sentence is not compared. */
function shown(answer: unknown): unknown {
  const text = JSON.stringify(answer, (key, value) =>
    key === 'message' && typeof value === 'string' ? value.split('\n')[0] : value,
  );
  return JSON.parse(text);
}

function causesOf(refusal: RefusalCase): unknown {
  const { apiVersion, plural, object, change } = refusal;
  const resource = resources.find(
    candidate =>
      candidate.plural === plural && (candidate.group === '' ? 'v1' : `${candidate.group}/v1`) === apiVersion,
  );
  assert.ok(resource !== undefined, plural);
  const read = (body: JsonObject, old: JsonObject | undefined): JsonObject => {
    const metadata = { name: 'a', uid: 'u', ...(refusal.cluster === true ? {} : { namespace: 'default' }) };
    const normal = builtinSchema.normalize(resource, { ...body, metadata }).object;
    const empty = { group: '', version: '', resource: '', subresource: '', namespace: '', name: '', path: '' };
    const attributes = {
      identity: { name: 'a', groups: [] },
      verb: '',
      ...empty,
      fieldSelector: '',
      labelSelector: '',
    };
    const answer = defaultAdmission({ attributes, resource, object: normal, old, dryRun: false });
    return 'object' in answer ? (answer.object ?? {}) : {};
  };
  const first = read(object, undefined);
  const errors = builtinSchema.validate(resource, first, undefined);
  if (errors.length > 0 || change === undefined) return causes(errors);

  const spec = { ...objectAt(first, 'spec'), ...objectAt(change, 'spec') };
  const second = read({ ...first, ...change, ...(first.spec === undefined ? {} : { spec }) }, first);
  return causes(builtinSchema.validate(resource, second, first));
}

const causes = (errors: ReturnType<typeof builtinSchema.validate>): unknown =>
  errors.length === 0 ? [] : invalid({ group: '', resource: '', name: '' }, errors).status.details?.causes;
