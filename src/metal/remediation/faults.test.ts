// A reboot and a deletion with one fault at every write: it fails, its answer is lost, or the program ends with it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Metal3Remediation } from '../../kinds/generated/metal3-remediation.generated.ts';
import { Unavailable } from '../../kube/errors.ts';
import { at } from '../objects.testing.ts';
import type { Between } from '../workload/world.testing.ts';
import { aRepair, type RepairTest } from './world.testing.ts';

type Fault = 'fails' | 'answer lost' | 'crash';

interface Injected {
  readonly between: Between;
  /** Whether a crash is due. */
  due: boolean;
  writes: number;
}

/** One fault at the n-th write about a remediation; 0: none, writes are counted. */
function faultAt(nth: number, fault: Fault): Injected {
  const injected: Injected = {
    due: false,
    writes: 0,
    between: next => async request => {
      const isOurs = request.method !== 'GET' && !request.path.includes('/events');
      if (!isOurs || ++injected.writes !== nth) return next(request);
      if (fault === 'fails') throw new Unavailable(request.path, 'the line is cut');
      const answer = await next(request);
      if (fault === 'answer lost') throw new Unavailable(request.path, 'the answer is lost');
      injected.due = true;
      return answer;
    },
  };
  return injected;
}

async function run(
  kubelet: string,
  injected: Injected,
  more: (repair: RepairTest) => Promise<void>,
): Promise<RepairTest> {
  const repair = await aRepair({ kubelet, between: injected.between });
  injected.writes = 0;
  await repair.remediate();
  for (let second = 0; second < 40; second++) {
    await repair.pass(1);
    if (second === 4) await more(repair);
    if (!injected.due) continue;
    injected.due = false;
    await repair.metal.restart();
  }
  return repair;
}

const nothing = async (): Promise<void> => undefined;
const deletes = async ({ metal }: RepairTest): Promise<void> => metal.api.delete(Metal3Remediation, at('m1'));

async function assertRestored(repair: RepairTest, when: string): Promise<void> {
  const host = await repair.host();
  const node = await repair.node();
  assert.deepEqual(host.metadata.annotations ?? {}, {}, when);
  assert.equal(host.status?.poweredOn, true, when);
  assert.equal(node?.metadata.labels?.role, 'worker', when);
  assert.ok(!node?.spec?.taints?.some(({ key }) => key.endsWith('out-of-service')), when);
}

for (const kubelet of ['v1.36.0', 'v1.27.9']) {
  for (const [name, more] of [
    ['reboot', nothing],
    ['deletion in the middle of a reboot', deletes],
  ] as const) {
    test(`a ${name} (kubelet ${kubelet}) ends the same with one fault at any write`, async () => {
      const counted = faultAt(0, 'fails');
      await (await run(kubelet, counted, more)).metal.stop();
      assert.ok(counted.writes >= 4, `${counted.writes} writes`);
      for (let nth = 1; nth <= counted.writes; nth++) {
        for (const fault of ['fails', 'answer lost', 'crash'] as const) {
          const when = `${fault} at write ${nth}`;
          const repair = await run(kubelet, faultAt(nth, fault), more);

          await assertRestored(repair, when);
          const left = await repair.find();
          if (more === deletes) assert.equal(left, undefined, when);
          else assert.deepEqual(left?.metadata.finalizers ?? [], [], when);
          if (more === nothing) assert.deepEqual(powerOf(repair), ['off', 'on'], when);
          await repair.metal.stop();
        }
      }
    });
  }
}

const powerOf = ({ seen }: RepairTest): readonly string[] => seen.filter(each => each === 'off' || each === 'on');
