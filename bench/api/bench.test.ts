import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { PARTS } from './parts.ts';
import { tableOf } from './report.ts';
import { Responses } from './responses.ts';
import { type Row, verdictOf } from './rows.ts';

const TINY = { pods: [40], fanOut: 5, lists: 2, memory: [60], few: 40, settleMs: 1 };

test('every part runs on the embedded API and gives its rows', { timeout: 60_000 }, async () => {
  const rows: Row[] = [];
  for (const part of ['verbs', 'events']) {
    rows.push(...((await PARTS[part]?.run(TINY, ['pippin'], () => undefined)) ?? []));
  }

  assert.deepEqual(
    rows.map(({ name }) => name),
    [
      'create, 40 Pods',
      'get, 40 Pods',
      'list of 40, 40 Pods',
      'merge patch, 40 Pods',
      'status patch, 40 Pods',
      'delete, 40 Pods',
      'events, 20 watchers',
      'events, 200 watchers',
    ],
  );
  assert.ok(rows.every(({ ours }) => ours.value > 0));
});

test('answers are read whole in whatever pieces they arrive, and lines of streams are counted', () => {
  const wire =
    'HTTP/1.1 201 Created\r\nContent-Length: 5\r\n\r\nhello' +
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\na\nb\r\n2\r\n\nc\r\n0\r\n\r\n' +
    'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n';
  for (let size = 1; size <= wire.length; size += 1) {
    const answers: string[] = [];
    const responses = new Responses('stream', ({ status, bodyBytes }) => answers.push(`${status} ${bodyBytes}`));

    for (let at = 0; at < wire.length; at += size) responses.take(Buffer.from(wire.slice(at, at + size)));

    assert.deepEqual([answers, responses.lines], [['201 5', '200 5', '404 0'], 2], `in pieces of ${size}`);
  }
});

test('a row whose client was busy is void, whatever its ratio', () => {
  const row: Row = {
    name: 'get',
    unit: '/s',
    ours: { value: 900, clientShare: 0.9 },
    theirs: { value: 100, clientShare: 0.2 },
    target: { better: 'more', times: 3 },
  };

  assert.equal(verdictOf(row), 'void');
  assert.equal(verdictOf({ ...row, ours: { value: 900, clientShare: 0.8 } }), 'pass');
  assert.equal(verdictOf({ ...row, ours: { value: 200, clientShare: 0.1 } }), 'fail');
  assert.match(tableOf([row]).text, /get +900 \/s +100 \/s +9\.0x +3x +void +90% \/ 20%/);
});

for (const [bench, parts] of [
  ['api', 'start, verbs, events, memory, cost'],
  ['metal', 'real, embedded, teardown'],
] as const) {
  test(`arguments of the bench of ${bench} that make no sense are told in one line, without a trace`, () => {
    const main = join(import.meta.dirname, '..', bench, 'main.ts');
    const answers = [['--only', 'nosuch'], ['--wrong']].map(args =>
      spawnSync(process.execPath, [main, ...args], { encoding: 'utf8' }),
    );

    assert.deepEqual(
      answers.map(({ status }) => status),
      [1, 1],
    );
    assert.equal(answers[0]?.stderr, `error: there is no part "nosuch": ${parts}\n`);
    assert.match(answers[1]?.stderr ?? '', /^error: Unknown option '--wrong'.*\n$/);
  });
}
