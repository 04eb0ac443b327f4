// The Metal3DataClaim of a machine: made once the host is reserved, again when it is lost, and never taken from an earlier machine.

import { seconds } from '../../base/clock.ts';
import { Metal3DataClaim } from '../../kinds/generated/metal3-data-claim.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { METAL3_DATA_CLAIM_FINALIZER, METAL3_MACHINE_FINALIZER } from '../../kinds/metal-wire.ts';
import { isBeingMoved, pausedBy } from '../../kinds/pause.ts';
import { CLUSTER_NAME_LABEL } from '../../kinds/wire.ts';
import { refTo } from '../../kube/api.ts';
import type { Step } from '../../kube/controller.ts';
import { isAlreadyExists } from '../../kube/errors.ts';
import { putOn, takeOff } from '../../kube/finalizers.ts';
import { apiVersionOf } from '../../kube/kind.ts';
import { isDeleting, keyOf } from '../../kube/object.ts';
import { done, type Outcome, wait } from '../../kube/outcome.ts';
import { isOwnedBy, ownerReferenceTo } from '../../kube/owners.ts';
import { hostInUse } from '../host/in-use.ts';
import type { MetalWorld } from '../world.ts';
import { clusterKeyOf } from './machines.ts';
import { givenSecret } from './secret-refs.ts';
import { RECHECK_MS } from './surroundings.ts';

export const CLAIMED = 'AssociateMetal3MachineMetaData';
const FAILED = { reason: 'AssociateMetal3MachineMetaDataFailed' };

export const metaData: Step<Metal3Machine, MetalWorld> = {
  condition: CLAIMED,
  async run(machine, world) {
    if (templateOf(machine) === undefined) return claimed(machine);
    const claim = world.caches.of(Metal3DataClaim).get(keyOf(machine));
    return claim === undefined ? create(machine, world) : judge(claim, machine, world);
  },
};

/** The Template that a machine's data is made from. */
export function templateOf({ spec }: Metal3Machine): string | undefined {
  const { name = '' } = spec?.dataTemplate ?? {};
  return name === '' ? undefined : name;
}

/** Secrets that the spec names are in use at once. */
function claimed(machine: Metal3Machine): Outcome {
  const [given, network] = [givenSecret(machine, 'metaData'), givenSecret(machine, 'networkData')];
  return done({
    status: {
      ...(given === undefined ? {} : { metaData: given }),
      ...(network === undefined ? {} : { networkData: network }),
    },
    conditions: [{ type: CLAIMED, status: 'True', reason: 'AssociateMetal3MachineMetaDataSuccess', message: '' }],
  });
}

async function create(machine: Metal3Machine, world: MetalWorld): Promise<Outcome> {
  const claim = claimFor(machine, world);
  try {
    await world.api.create(Metal3DataClaim, claim);
    return claimed(machine);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    return wait(refTo(Metal3DataClaim, claim), `Metal3DataClaim ${claim.metadata.name} to be read`, seconds(1), FAILED);
  }
}

/** Both finalizers are on it from the start, so that it never waits for one to be stored (metal-b). */
function claimFor(machine: Metal3Machine, world: MetalWorld): Metal3DataClaim {
  const { name, namespace = '', labels } = machine.metadata;
  const cluster = clusterKeyOf(machine, world)?.name;
  return {
    apiVersion: apiVersionOf(Metal3DataClaim),
    kind: Metal3DataClaim.kind,
    metadata: {
      name,
      namespace,
      labels: { ...labels, ...(cluster === undefined ? {} : { [CLUSTER_NAME_LABEL]: cluster }) },
      finalizers: [METAL3_MACHINE_FINALIZER, METAL3_DATA_CLAIM_FINALIZER],
      ownerReferences: [ownerReferenceTo(Metal3Machine, machine, 'controller')],
    },
    spec: { template: { name: templateOf(machine) ?? '', namespace } },
  };
}

/** By UID: a claim of an earlier machine of this name holds that one's index and addresses (metal-G14, metal-7.1). */
async function judge(claim: Metal3DataClaim, machine: Metal3Machine, world: MetalWorld): Promise<Outcome> {
  const { name } = claim.metadata;
  if (!isOwnedBy(claim, Metal3Machine, machine)) {
    const what = `Metal3DataClaim ${name} of an earlier machine of this name to be gone`;
    return wait(refTo(Metal3DataClaim, claim), what, RECHECK_MS, { reason: 'ClaimOfPredecessor' });
  }
  if (!isDeleting(claim)) return hold(claim, machine, world);
  // What the machine has noted as its data serves on, until it goes itself (metal-S2).
  if (machine.status?.renderedData !== undefined) return claimed(machine);
  if (hostInUse(refTo(Metal3Machine, machine), world) === undefined) {
    await takeOff(world.api, Metal3DataClaim, claim, METAL3_MACHINE_FINALIZER);
  }
  const what = `Metal3DataClaim ${name}, which was deleted, to be gone: another is made then`;
  return wait(refTo(Metal3DataClaim, claim), what, RECHECK_MS, FAILED);
}

/** A claim that was robbed of its finalizer gets it back: without it an ordinary deletion would free what the host uses. */
async function hold(claim: Metal3DataClaim, machine: Metal3Machine, world: MetalWorld): Promise<Outcome> {
  const isLeftAlone = isBeingMoved(claim) || pausedBy(claim, undefined) !== undefined;
  if (!isLeftAlone) await putOn(world.api, Metal3DataClaim, claim, METAL3_MACHINE_FINALIZER);
  return claimed(machine);
}
