// The tests of a move, for either kind of API: there and back, clusterctl killed after chosen writes, and our managers killed all the way through.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Journey, type Moved } from './journey.ts';
import type { Side } from './management.ts';
import { resourceOf, type When } from './shell.ts';

export interface Moves {
  readonly side: Side;
  readonly machines: number;
  /** Each kills one run of clusterctl. */
  readonly kills: readonly Kill[];
  /** Both managers are killed after each so-manieth write of theirs. */
  readonly managersDieAfter: number;
}

export interface Kill {
  readonly name: string;
  readonly when: () => When;
}

const MARK = 'delete-for-move';

/** After the `nth` such write. */
const after_ = (nth: number, is: When): When => {
  let seen = 0;
  return (write, on) => is(write, on) && ++seen === nth;
};

const writes = (method: string, resource: string, on: 'source' | 'target', nth = 1): (() => When) => {
  return () =>
    after_(nth, (write, where) => where === on && write.method === method && resourceOf(write.path) === resource);
};

const marks = (resource: string, nth = 1): (() => When) => {
  const is: When = ({ method, path, body }, on) =>
    on === 'source' && method === 'PATCH' && resourceOf(path) === resource && body.includes(MARK);
  return () => after_(nth, is);
};

/** The steps of a move at which most can go wrong. */
export const STEPS: readonly Kill[] = [
  { name: 'the Cluster was paused', when: writes('PATCH', 'clusters', 'source') },
  { name: 'a host was made on the target', when: writes('POST', 'baremetalhosts', 'target', 2) },
  { name: 'a Metal3Machine was made on the target', when: writes('POST', 'metal3machines', 'target', 2) },
  { name: 'a Metal3Data was made on the target', when: writes('POST', 'metal3datas', 'target', 2) },
  { name: 'an IPAddress was marked', when: marks('ipaddresses', 2) },
  { name: 'a Metal3Data was marked', when: marks('metal3datas', 2) },
  { name: 'a Metal3Machine was marked', when: marks('metal3machines', 2) },
  { name: 'a Metal3Machine was deleted', when: writes('DELETE', 'metal3machines', 'source', 2) },
  { name: 'a host was marked', when: marks('baremetalhosts', 2) },
  { name: 'a host was deleted', when: writes('DELETE', 'baremetalhosts', 'source', 2) },
];

/** So many of `total` writes, evenly. */
export function evenly(count: number, total: number): readonly Kill[] {
  return Array.from({ length: count }, (_, n) => {
    const nth = Math.round(((n + 0.5) * total) / count);
    return { name: `write ${nth} of ${total}`, when: () => after_(nth, () => true) };
  });
}

export function moves({ side, machines, kills, managersDieAfter }: Moves): void {
  let journey: Journey;
  before(async () => {
    journey = await Journey.begin(side, machines);
  });
  after(() => journey?.close());

  const said = ({ run, hostWrites, seconds }: Moved): string =>
    `${run.writes.length} writes of clusterctl, ${hostWrites} of ours to hosts, ${seconds} s`;

  for (const way of ['there', 'back']) {
    test(`${machines} machines move ${way}, between two ${side} APIs`, async t => {
      const moved = await journey.move();

      t.diagnostic(said(moved));
      assert.equal(moved.hostWrites, 2 * machines, 'each host is frozen once and thawed once');
    });
  }

  for (const { name, when } of kills) {
    test(`clusterctl killed: ${name}`, async t => {
      const moved = await journey.move(when());

      t.diagnostic(`${said(moved)}, the last was ${moved.run.writes.at(-1)}`);
    });
  }

  test(`both managers killed after every ${managersDieAfter} writes of theirs`, async t => {
    const managers = journey.managers;
    for (const { manager, managersWay } of managers) {
      let written = 0;
      managersWay.onWritten = () => {
        if (++written % managersDieAfter !== 0) return false;
        manager.kill();
        return true;
      };
    }

    const moved = await journey.move();

    for (const { managersWay } of managers) managersWay.onWritten = () => false;
    const deaths = managers.map(({ manager }) => manager.deaths);
    t.diagnostic(`${said(moved)}, ${deaths.join(' and ')} deaths`);
    assert.ok(deaths.every(count => count > 0));
  });
}
