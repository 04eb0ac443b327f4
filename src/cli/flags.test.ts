import assert from 'node:assert/strict';
import { test } from 'node:test';
import { durationMs, levelOf, portOf, wholeNumber } from './flags.ts';

test('durations are read as Go programs write them', () => {
  assert.deepEqual(['30m', '90s', '1h30m', '250ms', '0'].map(durationMs), [1_800_000, 90_000, 5_400_000, 250, 0]);
  for (const text of ['', '30', 'm', '1d', '-5s', '5 s']) assert.throws(() => durationMs(text), /duration/, text);
});

test('ports and counts are whole numbers in range', () => {
  assert.deepEqual(['0', '65535'].map(portOf), [0, 65_535]);
  for (const text of ['', '65536', '-1', '80a', '1e3']) assert.throws(() => portOf(text), /port/, text);
  assert.equal(wholeNumber('12'), 12);
  for (const text of ['', '1.5', '-1', 'x']) assert.throws(() => wholeNumber(text), /whole number/, text);
});

test('an unknown log level is named', () => {
  assert.equal(levelOf('warn'), 'warn');
  assert.throws(() => levelOf('loud'), /not "loud"/);
});
