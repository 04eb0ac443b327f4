import { test } from 'node:test';
import { type RefusalCase, refusalCases } from '../../src/apiserver/builtin/validation/cases-double.ts';
import type { JsonObject } from '../../src/apiserver/parts.ts';
import { send } from './https.ts';
import { type RealKube, startRealKube } from './real.ts';
import { holdRecording } from './recording.ts';

test('what is recorded of what the real server refuses is what it says', async () => {
  await using kube = await startRealKube({ controllers: [] });
  await call(kube, 'POST', {
    path: '/api/v1/namespaces/default/serviceaccounts',
    body: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'builder' } },
  });
  const answers: Record<string, unknown> = {};
  for (const [index, refusal] of refusalCases.entries()) {
    answers[`${refusal.plural}: ${refusal.says}`] = await refused(kube, refusal, `case-${index}`);
  }

  holdRecording('refusals', answers);
});

/** The causes; an empty list when the object was taken. */
async function refused(kube: RealKube, refusal: RefusalCase, name: string): Promise<unknown> {
  const { apiVersion, plural, cluster, object, change } = refusal;
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const path = `${root}${cluster === true ? '' : '/namespaces/default'}/${plural}`;
  const named = (body: JsonObject): JsonObject => ({ ...body, metadata: { name } });
  const created = await call(kube, 'POST', { path, body: named(object) });
  const answer =
    change === undefined || created.kind === 'Status'
      ? created
      : await call(kube, 'PUT', { path: `${path}/${name}`, body: changed(created, change) });
  if (answer.kind !== 'Status') return [];
  const causes = (answer.details as JsonObject | undefined)?.causes;
  return causes ?? { message: answer.message, code: answer.code };
}

/** The first state with the fields that the change states. */
function changed(created: JsonObject, change: JsonObject): JsonObject {
  const { managedFields, ...metadata } = created.metadata as JsonObject;
  const spec = { ...(created.spec as JsonObject), ...(change.spec as JsonObject) };
  return { ...created, ...change, metadata, ...(created.spec === undefined ? {} : { spec }) };
}

async function call(
  kube: RealKube,
  method: string,
  { path, body }: { path: string; body: JsonObject },
): Promise<JsonObject> {
  const answer = await send(`${kube.url}${path}`, {
    ca: kube.caPem,
    token: kube.adminToken,
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return JSON.parse(answer.body.toString());
}
