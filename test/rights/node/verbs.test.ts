import assert from 'node:assert/strict';
import { test } from 'node:test';
import { embeddedApi } from './embedded.ts';
import { playVerbs } from './play.ts';
import { verbs } from './verbs.ts';

test('an agent may do with its certificate what its Mac needs, and nothing to another Mac (safe-18)', async () => {
  const api = await embeddedApi(['agent']);

  const played = await playVerbs(api.player);
  await api.close();

  assert.deepEqual(
    played.map(({ says, code }) => `${says}: ${code}`),
    verbs.map(({ says, code }) => `${says}: ${code}`),
  );
});
