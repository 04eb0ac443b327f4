// The tests of a move, for either kind of API: there and back, clusterctl killed after chosen writes, and our managers killed all the way through.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Journey, type Moved } from './journey.ts';
import type { Management, Side } from './management.ts';
import { resourceOf, type When } from './shell.ts';

export interface Moves {
  readonly side: Side;
  readonly machines: number;
}

interface Kill {
  readonly name: string;
  readonly when: () => When;
}

const MARK = 'delete-for-move';

/** After the `nth` such write. */
const afterNth = (nth: number, is: When): When => {
  let seen = 0;
  return (write, on) => is(write, on) && ++seen === nth;
};

const writes = (method: string, resource: string, on: 'source' | 'target', nth = 1): (() => When) => {
  return () =>
    afterNth(nth, (write, where) => where === on && write.method === method && resourceOf(write.path) === resource);
};

const marks = (resource: string, nth = 1): (() => When) => {
  const is: When = ({ method, path, body }, on) =>
    on === 'source' && method === 'PATCH' && resourceOf(path) === resource && body.includes(MARK);
  return () => afterNth(nth, is);
};

/** The steps of a move at which most can go wrong: while objects are made, and while they are deleted. */
export const CREATING: readonly Kill[] = [
  { name: 'the Cluster was paused', when: writes('PATCH', 'clusters', 'source') },
  { name: 'a host was made on the target', when: writes('POST', 'baremetalhosts', 'target', 2) },
  { name: 'a Metal3Machine was made on the target', when: writes('POST', 'metal3machines', 'target', 2) },
  { name: 'a Metal3Data was made on the target', when: writes('POST', 'metal3datas', 'target', 2) },
];
export const DELETING: readonly Kill[] = [
  { name: 'an IPAddress was marked', when: marks('ipaddresses', 2) },
  { name: 'a Metal3Data was marked', when: marks('metal3datas', 2) },
  { name: 'a Metal3Machine was marked', when: marks('metal3machines', 2) },
  { name: 'a Metal3Machine was deleted', when: writes('DELETE', 'metal3machines', 'source', 2) },
  { name: 'a host was marked', when: marks('baremetalhosts', 2) },
  { name: 'a host was deleted', when: writes('DELETE', 'baremetalhosts', 'source', 2) },
];

/** A fleet for the tests of one file. */
export function fleetThatMoves({ side, machines }: Moves): () => Journey {
  let journey: Journey | undefined;
  before(async () => {
    journey = await Journey.begin(side, machines);
  });
  after(() => journey?.close());
  return () => journey ?? assert.fail('the fleet did not come up');
}

const said = ({ run, hostWrites, seconds }: Moved): string =>
  `${run.writes.length} writes of clusterctl, ${hostWrites} of ours to hosts, ${seconds} s`;

export function thereAndBack(fleet: () => Journey, { side, machines }: Moves): void {
  for (const way of ['there', 'back']) {
    test(`${machines} machines move ${way}, between two ${side} APIs`, async t => {
      const moved = await fleet().move();

      t.diagnostic(said(moved));
      assert.equal(moved.hostWrites, 2 * machines, 'each host is frozen once and thawed once');
    });
  }
}

export function clusterctlKilled(fleet: () => Journey, kills: readonly Kill[]): void {
  for (const { name, when } of kills) {
    test(`clusterctl killed: ${name}`, async t => {
      const moved = await fleet().move(when());

      t.diagnostic(`${said(moved)}, the last was ${moved.run.writes.at(-1)}`);
    });
  }
}

const SHORTEST_LIFE = 10;

/**
 * Each life is longer than the one before: a start takes writes of its own, which tell again that a workload cluster is
 * not connected yet, so that lives of one short length would come to nothing.
 */
function dyingAgainAndAgain({ manager, managersWay }: Management): void {
  let [written, lives] = [0, 1];
  managersWay.onWritten = () => {
    if (++written < lives * SHORTEST_LIFE) return false;
    [written, lives] = [0, lives + 1];
    manager.kill();
    return true;
  };
}

export function managersKilled(fleet: () => Journey): void {
  test('both managers killed again and again in the middle of their writes', async t => {
    const managers = fleet().managers;
    managers.forEach(dyingAgainAndAgain);

    const moved = await fleet().move();

    for (const { managersWay } of managers) managersWay.onWritten = () => false;
    const deaths = managers.map(({ manager }) => manager.deaths);
    t.diagnostic(`${said(moved)}, ${deaths.join(' and ')} deaths`);
    assert.ok(deaths.every(count => count > 0));
  });
}
