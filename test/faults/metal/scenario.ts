// How a scenario of the bare-metal fleet is played in virtual time under a plan of faults: as one life with its violations and its end.

import { minutes } from '../../../src/base/clock.ts';
import { messageOf } from '../../../src/base/errors.ts';
import { BareMetalHost } from '../../../src/kinds/generated/bare-metal-host.generated.ts';
import { conditionOf } from '../../../src/kube/conditions.ts';
import type { Condition, KubeObject } from '../../../src/kube/object.ts';
import { type MetalFleet, type MetalFleetOptions, metalFleet } from '../../world/metal/fleet.ts';
import type { Plan } from '../fault-line.ts';
import type { Life } from '../life.ts';
import type { MetalScenario, Must } from './stage.ts';

/** Plays it; the options make the standing runs. */
export async function liveMetal(scenario: MetalScenario, plan: Plan, options: MetalFleetOptions = {}): Promise<Life> {
  const { without = [] } = scenario;
  const fleet = await metalFleet({ without, ...options });
  const violations: string[] = [];
  try {
    fleet.line.follow(plan);
    await played(scenario, fleet).catch((error: unknown) => violations.push(messageOf(error)));
    return {
      calls: fleet.line.calls.map(({ process, seam, label }) => `${process} ${seam} ${label}`),
      events: fleet.line.events,
      injected: fleet.line.injected,
      trace: fleet.schedule.trace.join('\n'),
      violations: [...violations, ...fleet.violations, ...fleet.refused.map(what => `a role refuses ${what}`)],
      end: endOf(fleet),
    };
  } finally {
    await fleet.close();
  }
}

/** A faulty run may take this long for what a run without faults does in seconds: backoffs and rechecks add up. */
const WITHIN_MS = minutes(6 * 60);

async function played({ play, leaves = [] }: MetalScenario, fleet: MetalFleet): Promise<void> {
  const must: Must = async (what, until, withinMs = WITHIN_MS) => {
    if (!(await fleet.run(until, withinMs)))
      throw new Error(`not within ${withinMs / 1000} s: ${what}; ${stateOf(fleet)}`);
  };
  await play(fleet, must);
  await must(
    `only this is left: ${leaves.join(', ') || 'nothing'}`,
    () => fleet.left().join() === [...leaves].sort().join(),
  );
  // What comes back after it was gone is as wrong as what stays.
  await fleet.pass(minutes(2));
  if (fleet.left().join() !== [...leaves].sort().join()) throw new Error(`it comes back: ${fleet.left().join(', ')}`);
}

/** What is left, and what it says that it waits for. */
function stateOf({ view, left }: MetalFleet): string {
  const said = [...view.machines(), ...view.claims(), ...view.data()].flatMap(waits);
  return [`left: ${left().join(', ') || 'nothing'}`, ...said].join('; ');
}

function waits(object: KubeObject & { readonly status?: { readonly conditions?: readonly Condition[] } }): string[] {
  const deleting = conditionOf(object, 'Deleting');
  const held =
    deleting ?? object.status?.conditions?.find(({ status, message }) => status === 'False' && message !== '');
  return held === undefined ? [] : [`${object.kind} ${object.metadata.name}: ${held.reason}: ${held.message}`];
}

/** What is left, and how each host stands. Which of several equal hosts was taken is chance. */
function endOf({ left, view }: MetalFleet): string {
  const hosts = view.all(BareMetalHost).map(({ spec, status }) => {
    const { state = 'new' } = status?.provisioning ?? {};
    const consumer = spec?.consumerRef === undefined ? 'nobody' : `${spec.consumerRef.kind} ${spec.consumerRef.name}`;
    return `host ${state} of ${consumer}${spec?.image === undefined ? '' : ', with an image'}`;
  });
  return [...left(), ...hosts].sort().join('\n');
}
