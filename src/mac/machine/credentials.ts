// A host's sudo password and host key, kept in a Secret per machine and bound to that host.

import { minutes, seconds } from '../../base/clock.ts';
import { refTo } from '../../kube/api.ts';
import type { Step } from '../../kube/controller.ts';
import { Secret } from '../../kube/core/other.ts';
import { isAlreadyExists, isNotFound } from '../../kube/errors.ts';
import { apiVersionOf } from '../../kube/kind.ts';
import type { OwnerReference } from '../../kube/object.ts';
import { done, type Outcome, wait } from '../../kube/outcome.ts';
import { type SecretText, secret } from '../secret-text.ts';
import { isUsable } from '../sudo-password.ts';
import type { MacWorld } from '../world.ts';
import { bootstrapSecretName, MacMachine, namespaceOf, providerIdOf, serverOf } from './mac-machine.ts';
import { decoded, encoded } from './secret-data.ts';
import { BOOTSTRAPPED, waitAs } from './wire-conditions.ts';

const PASSWORD = 'password';
const FINGERPRINT = 'hostFingerprint';
/** The host that the rest is about: what is left from another host is worth nothing (mac-F43). */
const HOST_ID = 'hostId';

export interface Credentials {
  readonly password: SecretText;
  readonly fingerprint: string | undefined;
}

export const credentials: Step<MacMachine, MacWorld> = {
  condition: 'CredentialsStored',
  async run(machine, world) {
    const known = await credentialsOf(machine, world);
    if (known !== undefined && !known.password.isEmpty) return done();
    return fetchPassword(machine, known, world);
  },
};

/** What is stored about the present host; undefined when nothing is. */
export async function credentialsOf(machine: MacMachine, { api }: MacWorld): Promise<Credentials | undefined> {
  const found = await api.find(Secret, keyOf(machine));
  if (found === undefined || !isAbout(found, providerIdOf(machine))) return undefined;
  const password = decoded(found.data?.[PASSWORD]);
  const fingerprint = decoded(found.data?.[FINGERPRINT]);
  return {
    password: secret(isUsable(password) ? password : ''),
    fingerprint: fingerprint === '' ? undefined : fingerprint,
  };
}

async function fetchPassword(machine: MacMachine, known: Credentials | undefined, world: MacWorld): Promise<Outcome> {
  const ref = serverOf(providerIdOf(machine));
  if (ref === undefined) return done();
  const seen = await world.cloud.server(ref);
  const where = { port: 'scaleway', subject: `server ${ref.zone}/${ref.id}` };
  if (seen.kind !== 'present') {
    const why = seen.kind === 'unknown' ? seen.reason : 'it says that there is no such server';
    const what = `the cloud to tell the host's password: ${why}`;
    return waitAs(BOOTSTRAPPED, wait(where, what, seconds(30), { reason: 'CredentialsRefreshFailed' }));
  }
  // An empty password would break every VM for as long as the host lives (mac-F37).
  if (seen.value.sudoPassword.isEmpty) {
    const what = `a sudo password: put it under "${PASSWORD}" in Secret ${bootstrapSecretName(machine)}, or give the host back`;
    return waitAs(BOOTSTRAPPED, wait(where, what, minutes(5), { reason: 'MissingSudoPassword' }));
  }
  await store(machine, { [PASSWORD]: seen.value.sudoPassword.reveal() }, world);
  if (known !== undefined) {
    world.events.normal(machine, 'CredentialsReclaimed', 'The cloud tells the host’s password again');
  }
  return done();
}

/** The host showed this key: from now on it must be this one (mac-F44). */
export async function pinHostKey(machine: MacMachine, fingerprint: string, world: MacWorld): Promise<void> {
  await store(machine, { [FINGERPRINT]: fingerprint }, world);
}

/** Removes the Secret; a missing one is fine. */
export async function deleteCredentials(machine: MacMachine, { api }: MacWorld): Promise<void> {
  try {
    await api.delete(Secret, keyOf(machine));
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** One that a person or upstream's controller wrote names no host: it is believed. */
function isAbout(found: Secret, hostId: string | undefined): boolean {
  const named = decoded(found.data?.[HOST_ID]);
  return named === '' || named === hostId;
}

const keyOf = (machine: MacMachine) => ({ namespace: namespaceOf(machine), name: bootstrapSecretName(machine) });

/** Adds to the Secret of the present host; one of an earlier host is replaced, its pin with it. */
async function store(machine: MacMachine, texts: Readonly<Record<string, string>>, world: MacWorld): Promise<void> {
  const { api } = world;
  const key = keyOf(machine);
  const hostId = providerIdOf(machine) ?? '';
  const entries = Object.entries({ ...texts, [HOST_ID]: hostId }).map(([name, text]) => [name, encoded(text)] as const);
  const data = Object.fromEntries(entries);
  const found = await api.find(Secret, key);
  if (found !== undefined) {
    const stale = isAbout(found, hostId) ? {} : { [PASSWORD]: null, [FINGERPRINT]: null };
    const { resourceVersion } = found.metadata;
    await api.patch(Secret, key, { metadata: { resourceVersion }, data: { ...stale, ...data } });
    return;
  }
  const metadata = { ...key, ownerReferences: [ownedBy(machine)] };
  try {
    await api.create(Secret, { apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque', data });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    await store(machine, texts, world);
  }
}

function ownedBy(machine: MacMachine): OwnerReference {
  const { name, uid = '' } = refTo(MacMachine, machine);
  return { apiVersion: apiVersionOf(MacMachine), kind: MacMachine.kind, name, uid };
}
