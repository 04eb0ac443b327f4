import { test } from 'node:test';
import { malformedCases } from '../../src/apiserver/builtin/malformed-double.ts';
import type { JsonObject } from '../../src/apiserver/parts.ts';
import { send } from './https.ts';
import { startRealKube } from './real.ts';
import { holdRecording } from './recording.ts';

test('what is recorded of what the real server cannot read is what it says', async () => {
  await using kube = await startRealKube({ controllers: [] });
  const answers: Record<string, unknown> = {};
  for (const [says, { apiVersion, kind, plural, object }] of Object.entries(malformedCases)) {
    const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const answer = await send(`${kube.url}${root}/namespaces/default/${plural}?fieldValidation=Strict`, {
      ca: kube.caPem,
      token: kube.adminToken,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ apiVersion, kind, ...object }),
    });
    const { message, reason, code } = JSON.parse(answer.body.toString()) as JsonObject;
    answers[says] = { message, reason, code };
  }

  holdRecording('malformed', answers);
});
