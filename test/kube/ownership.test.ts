import { test } from 'node:test';
import type { Scenario, Write } from '../../src/apiserver/builtin/ownership/scenario-double.ts';
import { scenarios } from '../../src/apiserver/builtin/ownership/scenarios-double.ts';
import { shownAnswer } from '../../src/apiserver/builtin/ownership/shown-double.ts';
import type { JsonObject } from '../../src/apiserver/parts.ts';
import { send } from './https.ts';
import { type RealKube, startRealKube } from './real.ts';
import { holdRecording } from './recording.ts';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

test("what is recorded of the real server's field ownership is what it does", async () => {
  await using kube = await startRealKube({ controllers: [] });
  const answers: Record<string, JsonObject[]> = {};
  for (const [index, scenario] of scenarios.entries()) {
    const own: JsonObject[] = [];
    if (scenario.definition !== undefined) await define(kube, scenario.definition);
    for (const write of scenario.writes) {
      own.push(shownAnswer(await perform(kube, { scenario, write, name: `scenario-${index}` })));
    }
    answers[scenario.says] = own;
  }

  holdRecording('ownership', answers);
});

async function define(kube: RealKube, definition: JsonObject): Promise<void> {
  await call(kube, { method: 'POST', path: DEFINITIONS, body: definition });
  const { group, names, versions } = definition.spec as {
    group: string;
    names: { plural: string };
    versions: { name: string }[];
  };
  for (;;) {
    const answer = await call(kube, { method: 'GET', path: `/apis/${group}/${versions[0]?.name}/${names.plural}` });
    if (answer.kind !== 'Status' && answer.items !== undefined) return;
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}

async function perform(
  kube: RealKube,
  { scenario, write, name }: { scenario: Scenario; write: Write; name: string },
): Promise<JsonObject> {
  const { apiVersion, plural, cluster } = scenario;
  const { how, by, body } = write;
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const collection = `${root}${cluster === true ? '' : '/namespaces/default'}/${plural}`;
  const sub = how.endsWith('status') ? '/status' : '';
  const path = how === 'create' ? collection : `${collection}/${name}${sub}`;
  const query = `?fieldManager=${by}${how === 'force' ? '&force=true' : ''}`;
  const isMerge = how === 'merge' || how === 'status';
  const { kind } = scenario;
  const named = { apiVersion, kind, ...body, metadata: { ...(body.metadata as JsonObject), name } };
  const type = isMerge ? 'application/merge-patch+json' : 'application/apply-patch+yaml';
  if (how === 'create') return call(kube, { method: 'POST', path: `${path}${query}`, body: named });
  return call(kube, { method: 'PATCH', path: `${path}${query}`, body: isMerge ? body : named, type });
}

interface Request {
  readonly method: string;
  readonly path: string;
  readonly body?: JsonObject;
  readonly type?: string;
}

async function call(kube: RealKube, { method, path, body, type = 'application/json' }: Request): Promise<JsonObject> {
  const answer = await send(`${kube.url}${path}`, {
    ca: kube.caPem,
    token: kube.adminToken,
    method,
    headers: { 'content-type': type },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = answer.body.toString();
  return text.startsWith('{') ? JSON.parse(text) : {};
}
