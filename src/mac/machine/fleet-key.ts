// The SSH key of a fleet: made once, kept in a Secret, and known to the cloud before a host is installed (mac-F40 to mac-F42).

import { seconds } from '../../base/clock.ts';
import { defineError, messageOf } from '../../base/errors.ts';
import type { Step } from '../../kube/controller.ts';
import { Secret } from '../../kube/core/other.ts';
import { isAlreadyExists } from '../../kube/errors.ts';
import { done, type Outcome, wait } from '../../kube/outcome.ts';
import { cloudRefused, type MacCloud } from '../cloud.ts';
import { type SecretText, secret } from '../secret-text.ts';
import type { MacWorld } from '../world.ts';
import { fleetOf, type MacMachine, namespaceOf, providerIdOf } from './mac-machine.ts';
import { decoded, encoded } from './secret-data.ts';
import { BOOTSTRAPPED, waitAs } from './wire-conditions.ts';

const fleetKeyRefused = defineError('PIPPIN_E_FLEET_KEY_REFUSED', {
  retry: 'backoff',
  remedy: 'Let this API key manage SSH keys in its project (SSHKeysFullAccess)',
  says: (fleet: string) => `The SSH key of fleet "${fleet}" cannot be registered: the cloud refuses`,
});

const fleetKeyUnreadable = defineError('PIPPIN_E_FLEET_KEY_UNREADABLE', {
  retry: 'never',
  remedy: 'Put both halves of the key back, or delete the Secret to have a new one made for hosts to come',
  says: (name: string) => `Secret ${name} holds no SSH key: "privateKey" or "publicKey" is missing`,
});

export interface FleetKey {
  readonly privateKey: SecretText;
  /** An authorized_keys line. */
  readonly publicKey: string;
}

/** A host gets the project's keys when it is installed: later ones do not reach it, so this comes before adoption. */
export const fleetKey: Step<MacMachine, MacWorld> = {
  condition: 'FleetKeyRegistered',
  async run(machine, world) {
    const fleet = fleetOf(machine);
    const { publicKey } = await ensureFleetKey(machine, world);
    if (providerIdOf(machine) !== undefined) return done();
    try {
      return await register(fleet, publicKey, world.cloud);
    } catch (error) {
      if (cloudRefused.is(error)) throw fleetKeyRefused.causedBy(error, fleet);
      return keyUnavailable(fleet, messageOf(error));
    }
  },
};

async function register(fleet: string, publicKey: string, cloud: MacCloud): Promise<Outcome> {
  const listing = await cloud.sshKeys();
  if (listing.kind === 'unknown') return keyUnavailable(fleet, listing.reason);
  const named = listing.value.filter(key => key.name === fleet);
  const others = named.filter(key => !isSameKey(key.publicKey, publicKey));
  // A key of that name whose other half we do not have opens nothing for us (mac-F41).
  for (const key of others) await cloud.removeSshKey(key.id);
  if (named.length === others.length) await cloud.addSshKey(fleet, publicKey);
  return done();
}

function keyUnavailable(fleet: string, why: string): Outcome {
  const what = `the SSH key of fleet ${fleet} to be registered: ${why}`;
  return waitAs(
    BOOTSTRAPPED,
    wait({ port: 'scaleway', subject: 'SSH keys' }, what, seconds(30), { reason: 'SSHKeyUnavailable' }),
  );
}

/** Type and material; the comment behind them is anybody's. */
function isSameKey(one: string, other: string): boolean {
  const essence = (line: string): string => line.trim().split(/\s+/).slice(0, 2).join(' ');
  return essence(one) === essence(other);
}

/** The fleet's key. The Secret is made first and read back: two machines of a new fleet agree on one key (mac-F42). */
export async function ensureFleetKey(machine: MacMachine, world: MacWorld): Promise<FleetKey> {
  const key = { namespace: namespaceOf(machine), name: world.settings.fleetKeySecret(fleetOf(machine)) };
  const found = await world.api.find(Secret, key);
  if (found !== undefined) return keyIn(found);
  const { privateKey, publicKey } = await world.keys.sshPair(fleetOf(machine));
  try {
    const made = await world.api.create(Secret, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: key,
      type: 'Opaque',
      data: { privateKey: encoded(privateKey), publicKey: encoded(publicKey) },
    });
    return keyIn(made);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    return keyIn(await world.api.get(Secret, key));
  }
}

function keyIn({ metadata, data }: Secret): FleetKey {
  const { privateKey, publicKey } = data ?? {};
  if (privateKey === undefined || publicKey === undefined) throw fleetKeyUnreadable(metadata.name);
  return { privateKey: secret(decoded(privateKey)), publicKey: decoded(publicKey) };
}
