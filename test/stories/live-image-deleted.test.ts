// The third report: the cleaner deleted the image that the fleet ran on, because a tag is not the text of a digest.

import { test } from 'node:test';
import { judgeOurs, judgeText } from './live-image-deleted/judge.ts';
import { replay } from './live-image-deleted/replay.ts';
import { first, trace } from './live-image-deleted/trace.ts';

test('over the two hours of the report the live image is never deleted, superseded digests go, and starts stay warm', async () => {
  judgeOurs(await replay(trace(), 'pippin'));
});

test("the report's rule, on the beginning of the same trace, deletes the live image over and over", async () => {
  judgeText(await replay(first(40, trace()), 'text'));
});
