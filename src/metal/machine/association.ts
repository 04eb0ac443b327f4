// The host of a machine: recorded on the machine first, then reserved under a lock, and looked at before any other choice.

import { seconds } from '../../base/clock.ts';
import { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import type { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { HOST_ANNOTATION } from '../../kinds/metal-wire.ts';
import { refTo } from '../../kube/api.ts';
import { isTrue } from '../../kube/conditions.ts';
import type { Step } from '../../kube/controller.ts';
import { keyOf } from '../../kube/object.ts';
import { type Change, done, type Outcome, type Wait, wait } from '../../kube/outcome.ts';
import { labelBmcSecret } from '../host/bmc-secret.ts';
import { type Choice, chooseHost, closedTo, type Wish } from '../host/choice.ts';
import { consumerText } from '../host/consumer.ts';
import { hostRecord, hostsReservedFor } from '../host/hosts.ts';
import { isBeingEmptied, runsFor } from '../host/installed.ts';
import { reserve } from '../host/reservation.ts';
import { reuseNameOf } from '../host/reuse.ts';
import { speakFor } from '../host/spoken-for.ts';
import { hasSystem } from '../host/state.ts';
import type { MetalWorld } from '../world.ts';
import { addressesOf } from './addresses.ts';
import { isBound } from './bound.ts';
import { type OwnHost, ownHostOf } from './own-host.ts';
import { refuseOtherNamespaces, userDataOf } from './secret-refs.ts';
import { isMissing, RECHECK_MS, type Surroundings, surroundingsOf } from './surroundings.ts';

export const ASSOCIATED = 'AssociateBareMetalHost';
const FAILED = { reason: 'AssociateBareMetalHostFailed' };

/** A choice or a reservation that somebody was faster with: looked at again at once by the watch, and by this timer. */
const AGAIN_MS = seconds(1);

export const association: Step<Metal3Machine, MetalWorld> = {
  condition: ASSOCIATED,
  async run(machine, world) {
    const around = surroundingsOf(machine, world);
    if (isMissing(around)) return around;
    refuseOtherNamespaces(machine);
    const own = await ownHostOf(machine, world);
    const outcome = await associate(own, machine, { around, world });
    return withDomain(outcome, machine, around);
  },
};

interface Around {
  readonly around: Surroundings;
  readonly world: MetalWorld;
}

async function associate(own: OwnHost, machine: Metal3Machine, { around, world }: Around): Promise<Outcome> {
  if (own.kind === 'reserved') return settle(own.host, machine, { around, world });
  const isKept = isBound(machine, world) || runsOurs(own, machine, world);
  if (own.kind === 'free' && isKept) return take(own.host, machine, { around, world });
  if (own.kind !== 'none' && isKept) return lost(own, machine);
  const wish = await wishOf(machine, { around, world });
  if (own.kind === 'free' && closedTo(wish, own.host) === undefined) {
    return take(own.host, machine, { around, world });
  }
  return own.kind === 'none' ? choose(wish, world) : forget(machine, own);
}

/** Its consumerRef was edited while it ran: left behind, nobody would ever empty it (metal-h1). */
const runsOurs = (own: OwnHost, machine: Metal3Machine, world: MetalWorld): boolean =>
  'host' in own && hasSystem(own.host) && runsFor(machine, own.host, world);

async function wishOf(machine: Metal3Machine, { around, world }: Around): Promise<Wish> {
  const reuseName = await reuseNameOf(around.machine, world);
  return { machine, cluster: keyOf(around.cluster), failureDomain: around.machine.spec.failureDomain, reuseName };
}

/** Nothing is on record. What is reserved in this machine's name comes before what is free. */
function choose(wish: Wish, world: MetalWorld): Outcome {
  const { machine } = wish;
  const [reserved] = hostsReservedFor(keyOf(machine), world);
  if (reserved !== undefined) return adopt(reserved, machine, world);
  const choice = chooseHost(wish, world);
  if (choice.kind === 'chosen') {
    speakFor(choice.host, machine, world);
    return record(choice.host);
  }
  if (choice.kind === 'kept') {
    const what = `BareMetalHost ${choice.host.metadata.name}, kept for this machine, to be available`;
    return wait(refTo(BareMetalHost, choice.host), what, RECHECK_MS, FAILED);
  }
  return none(machine, choice);
}

/** Should those who were first not come to it, no event would tell that the hosts are still there: a short timer does. */
function none(machine: Metal3Machine, { passedOver }: Choice & { readonly kind: 'none' }): Wait {
  const { namespace = '', name } = machine.metadata;
  const what = `an available BareMetalHost in namespace ${namespace} that spec.hostSelector allows`;
  if (passedOver) return wait({ port: 'time', subject: 'reservations of others' }, what, AGAIN_MS, FAILED);
  return wait({ kind: BareMetalHost, namespace, name }, what, RECHECK_MS, FAILED);
}

/** On record before the host is touched: after a crash the next pass goes on with this host (metal-7.6). */
function record(host: BareMetalHost): Wait {
  const change = { annotations: { [HOST_ANNOTATION]: hostRecord(host) } };
  const what = `BareMetalHost ${host.metadata.name} to be reserved`;
  return wait(refTo(BareMetalHost, host), what, AGAIN_MS, { change, onceRecorded: 'go on' });
}

/**
 * A host that names this machine although the machine names none. Where neither the machine nor its data know of it, a
 * machine of the same name had it before and what it runs is not ours (metal-G14): nobody may wipe it on a name alone.
 */
function adopt(host: BareMetalHost, machine: Metal3Machine, world: MetalWorld): Outcome {
  if (isBeingEmptied(host) && !isBound(machine, world)) {
    const what = `BareMetalHost ${host.metadata.name} to be rid of what it ran before`;
    return wait(refTo(BareMetalHost, host), what, RECHECK_MS, { reason: 'HostOfPredecessor' });
  }
  if (!hasSystem(host) || isBound(machine, world)) return record(host);
  const what =
    `BareMetalHost ${host.metadata.name} to be released: an earlier machine of this name reserved it, and it has an ` +
    'image. Take spec.image, spec.customDeploy and spec.consumerRef off it, or delete it';
  return wait(refTo(BareMetalHost, host), what, RECHECK_MS, { reason: 'HostOfPredecessor' });
}

/** The host was not reserved, and another was faster or it is no choice any more. The next choice is made on what is seen then. */
function forget(machine: Metal3Machine, own: Exclude<OwnHost, { kind: 'none' }>): Wait {
  const { name } = own.kind === 'gone' ? own.key : own.host.metadata;
  const { namespace = '' } = machine.metadata;
  const change = { annotations: { [HOST_ANNOTATION]: null } };
  const what = `another BareMetalHost than ${name}`;
  return wait({ kind: BareMetalHost, namespace, name }, what, AGAIN_MS, { change, onceRecorded: 'go on' });
}

/** The machine's data was made for that host: it cannot go on with another, and says so (metal-7.9). */
function lost(own: Exclude<OwnHost, { kind: 'none' }>, machine: Metal3Machine): Wait {
  const { namespace = '' } = machine.metadata;
  const { name } = own.kind === 'gone' ? own.key : own.host.metadata;
  const how = own.kind === 'gone' ? 'was deleted' : `is used by ${consumerText(own.host)}`;
  const what = `this machine to be deleted: its BareMetalHost ${name} ${how}`;
  return wait({ kind: BareMetalHost, namespace, name }, what, RECHECK_MS, { reason: 'BareMetalHostLost' });
}

async function take(host: BareMetalHost, machine: Metal3Machine, { around, world }: Around): Promise<Outcome> {
  const reserved = await reserve(host, machine, keyOf(around.cluster), world);
  if (reserved !== undefined) {
    world.events.normal(machine, 'BareMetalHostReserved', `BareMetalHost ${host.metadata.name} is reserved`);
    return settle(reserved, machine, { around, world });
  }
  const what = `BareMetalHost ${host.metadata.name} to be read again: it has changed`;
  return wait(refTo(BareMetalHost, host), what, AGAIN_MS, FAILED);
}

/** The host is ours. Only now is the Secret of its board touched, once (metal-7.7). */
async function settle(host: BareMetalHost, machine: Metal3Machine, { around, world }: Around): Promise<Outcome> {
  if (!isTrue(machine, ASSOCIATED)) await labelBmcSecret(host, keyOf(around.cluster), world);
  const userData = userDataOf(machine, around.machine);
  return done({
    status: { addresses: addressesOf(host) ?? null, ...(userData === undefined ? {} : { userData }) },
    conditions: [{ type: ASSOCIATED, status: 'True', reason: 'AssociateBareMetalHostSuccess', message: '' }],
  });
}

/** The failure domain is the Machine's, as upstream has it. */
function withDomain(outcome: Outcome, machine: Metal3Machine, around: Surroundings): Outcome {
  const { failureDomain } = around.machine.spec;
  if (failureDomain === machine.spec?.failureDomain) return outcome;
  const { change = {} } = outcome;
  const spec: Change['spec'] = { ...change.spec, failureDomain: failureDomain ?? null };
  return { ...outcome, change: { ...change, spec } };
}
