import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualClock } from '../../sim/time/clock.ts';
import { notSeen, present, unknown } from '../base/sighting.ts';
import { AbsenceJournal } from './journal.ts';

const gone = notSeen('cloud', 'server 42');

test('one absent answer is no proof, and says when to ask again', () => {
  const journal = new AbsenceJournal(virtualClock());

  assert.deepEqual(journal.note('server 42', gone), { kind: 'once', againInMs: 5_000 });
});

test('two absent answers 5 s apart stand', async () => {
  const clock = virtualClock();
  const journal = new AbsenceJournal(clock);

  journal.note('server 42', gone);
  await clock.advance(4_999);
  assert.deepEqual(journal.note('server 42', gone), { kind: 'once', againInMs: 1 });
  await clock.advance(1);

  assert.equal(journal.note('server 42', gone).kind, 'twice');
});

for (const between of [unknown('403 forbidden'), present({})]) {
  test(`an answer "${between.kind}" between two absent ones breaks the pair (safe-2)`, async () => {
    const clock = virtualClock();
    const journal = new AbsenceJournal(clock);

    journal.note('server 42', gone);
    await clock.advance(5_000);
    journal.note('server 42', between);
    await clock.advance(5_000);

    assert.equal(journal.note('server 42', gone).kind, 'once');
  });
}

test('answers about another subject complete no pair', async () => {
  const clock = virtualClock();
  const journal = new AbsenceJournal(clock);

  journal.note('server 41', gone);
  await clock.advance(10_000);

  assert.equal(journal.note('server 42', gone).kind, 'once');
});

test('a wall clock that jumped ahead does not make two close answers far apart (safe-21)', () => {
  const clock = virtualClock();
  const journal = new AbsenceJournal(clock);

  journal.note('server 42', gone);
  clock.jumpWall(60_000);

  assert.equal(journal.note('server 42', gone).kind, 'once');
});

test('a wall clock that went back makes the first answer worthless (safe-21)', async () => {
  const clock = virtualClock();
  const journal = new AbsenceJournal(clock);

  journal.note('server 42', gone);
  await clock.advance(5_000);
  clock.jumpWall(-60_000);

  assert.deepEqual(journal.note('server 42', gone), { kind: 'once', againInMs: 5_000 });
});

test('a stricter rule asks for a longer distance', async () => {
  const clock = virtualClock();
  const journal = new AbsenceJournal(clock);

  journal.note('Node mac-0', gone, 90_000);
  await clock.advance(60_000);

  assert.deepEqual(journal.note('Node mac-0', gone, 90_000), { kind: 'once', againInMs: 30_000 });
});
