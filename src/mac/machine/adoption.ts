// The host behind a machine: found by its claim name, or taken from the pool.

import { minutes, seconds } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { appleSiliconProviderId } from '../../kinds/wire.ts';
import { refTo } from '../../kube/api.ts';
import type { Step } from '../../kube/controller.ts';
import { done, type Outcome, wait } from '../../kube/outcome.ts';
import type { MacServer } from '../cloud.ts';
import type { MacWorld } from '../world.ts';
import { adoptionRecord } from './adoption-record.ts';
import { claimHost } from './claim.ts';
import {
  claimName,
  conditionOf,
  fullName,
  MacMachine,
  osOf,
  poolPrefixOf,
  providerIdOf,
  serverOf,
  statusOf,
  typeOf,
  zoneOf,
} from './mac-machine.ts';
import { holderOfName } from './name-taken.ts';
import { isVersioned } from './os-image.ts';
import { PROVISIONED, waitAs, wireTrue } from './wire-conditions.ts';

export const adoption: Step<MacMachine, MacWorld> = {
  condition: 'HostAdopted',
  async run(machine, world) {
    if (providerIdOf(machine) !== undefined) return restored(machine);
    const obstacle = obstacleTo(machine, world);
    if (obstacle !== undefined) return obstacle;
    const holder = await holderOfName(machine, world.api);
    if (holder !== undefined) return nameTaken(machine, holder);
    if (conditionOf(machine, PROVISIONED) === undefined) {
      world.events.normal(machine, 'Adopting', `Looking for a free ${typeOf(machine)} with ${osOf(machine)}`);
    }
    return world.adoptions.run(() => adopt(machine, world));
  },
};

async function adopt(machine: MacMachine, world: MacWorld): Promise<Outcome> {
  const wanted = {
    claimName: claimName(machine),
    zone: zoneOf(machine),
    poolPrefix: poolPrefixOf(machine, world.settings),
    type: typeOf(machine),
    os: osOf(machine),
  };
  const where = { port: 'scaleway', subject: `pool ${wanted.poolPrefix}` };
  try {
    const server = await claimHost(wanted, world);
    if (server !== undefined) return adopted(machine, server, world);
  } catch (error) {
    world.events.warning(machine, 'ProvisioningFailed', messageOf(error));
    return waitAs(PROVISIONED, wait(where, messageOf(error), seconds(30), { reason: 'ScalewayAdoptFailed' }));
  }
  const what = `a free ${wanted.type} with ${wanted.os} in pool ${wanted.poolPrefix} (zone ${wanted.zone})`;
  world.events.warning(machine, 'NoAvailableHost', `Waiting for ${what}`);
  return waitAs(PROVISIONED, wait(where, what, world.settings.poolRecheckMs, { reason: 'NoAvailableHost' }));
}

function adopted(machine: MacMachine, server: MacServer, { clock, events }: MacWorld): Outcome {
  const hostId = appleSiliconProviderId(server.zone, server.id);
  events.normal(machine, 'Adopted', `Host ${hostId} is now ${claimName(machine)}`);
  return done({
    spec: { providerID: hostId },
    annotations: adoptionRecord(clock, hostId),
    status: {
      serverID: server.id,
      addresses: [{ type: 'ExternalIP', address: server.ip }],
      bootstrapAttempts: 0,
      bootstrapRebootIssued: false,
    },
    conditions: [wireTrue(PROVISIONED)],
  });
}

/** A move brings no status: what others read there follows from the providerID again. */
function restored(machine: MacMachine): Outcome {
  const serverID = serverOf(providerIdOf(machine))?.id;
  if (serverID === undefined || statusOf(machine).serverID === serverID) return done();
  return done({ status: { serverID }, conditions: [wireTrue(PROVISIONED)] });
}

/** What a person must change first. */
function obstacleTo(machine: MacMachine, { settings }: MacWorld): Outcome | undefined {
  const self = refTo(MacMachine, machine);
  if (poolPrefixOf(machine, settings) === '') {
    const what = 'spec.adoptPoolPrefix, or a default prefix of the manager: without one every host would be free';
    return waitAs(PROVISIONED, wait(self, what, minutes(5), { reason: 'NoAdoptPoolPrefix' }));
  }
  if (isVersioned(osOf(machine))) {
    const what =
      `spec.os to name a release family: "${osOf(machine)}" has a version. ` +
      'Delete the Machine so that it is cloned anew, or patch spec.os';
    return waitAs(PROVISIONED, wait(self, what, minutes(5), { reason: 'InvalidOSPin' }));
  }
  return undefined;
}

function nameTaken(machine: MacMachine, holder: MacMachine): Outcome {
  const what =
    `another name: ${fullName(holder)} is already called ${machine.metadata.name}, ` +
    'and Nodes and hosts are known by that name in the whole cluster';
  return waitAs(PROVISIONED, wait(refTo(MacMachine, holder), what, minutes(5), { reason: 'NameTaken' }));
}
