import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { patchCases } from '../../src/apiserver/builtin/strategic/cases-double.ts';
import type { JsonObject } from '../../src/apiserver/parts.ts';
import { send } from './https.ts';
import { type RealKube, startRealKube } from './real.ts';

let kube: RealKube;
before(async () => {
  kube = await startRealKube({ controllers: [] });
});
after(() => kube.stop());

patchCases.forEach(({ says, live, patch, after: expected }, index) => {
  test(`on the real server: ${says}`, async () => {
    const name = `case-${index}`;
    const labels = { app: name };
    const spec = { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: live } };
    const created = await call('POST', '', { metadata: { name }, spec });
    assert.equal(created.status, 201, created.text);

    const patched = await call('PATCH', `/${name}`, { spec: { template: { spec: patch } } });

    const before = JSON.parse(created.text).spec.template.spec;
    if (expected === undefined) assert.ok(patched.status >= 400, patched.text);
    else
      assert.deepEqual(
        shown(JSON.parse(patched.text).spec.template.spec),
        shown({ ...defaulted(before), ...expected }),
      );
  });
});

/** What the server filled in by itself is not what the patch is about. */
function defaulted(spec: JsonObject): JsonObject {
  const { containers, volumes, nodeSelector, tolerations, securityContext, ...rest } = spec;
  return { securityContext: {}, ...rest };
}

function shown(spec: JsonObject): unknown {
  return JSON.parse(
    JSON.stringify(spec, (key, value) =>
      ['terminationMessagePath', 'terminationMessagePolicy', 'imagePullPolicy', 'defaultMode'].includes(key) ||
      (key === 'resources' && Object.keys(value).length === 0)
        ? undefined
        : value,
    ),
  );
}

async function call(method: string, path: string, body: JsonObject): Promise<{ status: number; text: string }> {
  const type = method === 'PATCH' ? 'application/strategic-merge-patch+json' : 'application/json';
  const answer = await send(`${kube.url}/apis/apps/v1/namespaces/default/deployments${path}`, {
    ca: kube.caPem,
    token: kube.adminToken,
    method,
    headers: { 'content-type': type },
    body: JSON.stringify(body),
  });
  return { status: answer.status, text: answer.body.toString() };
}
