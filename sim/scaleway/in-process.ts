// The simulated Scaleway behind the Mac provider's port, without HTTP: for runs in which nothing leaves the process.

import { notSeen, present, type Sighting, type Unknown, unknown } from '../../src/base/sighting.ts';
import {
  cloudRefused,
  cloudUnavailable,
  type Listing,
  type MacCloud,
  type MacServer,
  type OsImage,
  type ServerRef,
  type SshKey,
  serverBusy,
  serverNotThere,
} from '../../src/mac/cloud.ts';
import { passwordOf } from '../../src/mac/sudo-password.ts';
import { NoAnswer, Refusal } from './faults.ts';
import { passwordFields } from './json.ts';
import type { ScalewayModel } from './model.ts';
import type { SimImage, SimServer } from './state.ts';

/** Every call takes one turn, as an answer from elsewhere would. */
export function inProcess(model: ScalewayModel): MacCloud {
  return {
    async server({ zone, id }) {
      return read<MacServer>(
        () => present(portServer(model.getServer(zone, id), model)),
        error => (isNotFound(error) ? notSeen('scaleway', `server ${zone}/${id}`) : undefined),
      );
    },
    servers: async zone => list(() => model.listServers(zone).map(server => portServer(server, model))),
    images: async zone => list(() => model.listOS(zone).map(portImage)),
    sshKeys: async (): Promise<Listing<SshKey>> => list(() => model.listSSHKeys()),
    rename: async (ref, name) => write(`Renaming ${nameOf(ref)}`, () => model.updateServer(ref.zone, ref.id, { name })),
    reinstall: async (ref, imageId) =>
      write(`Reinstalling ${nameOf(ref)}`, () => model.reinstallServer(ref.zone, ref.id, imageId)),
    reboot: async ref => write(`Rebooting ${nameOf(ref)}`, () => model.rebootServer(ref.zone, ref.id)),
    addSshKey: async (name, publicKey) =>
      write(`Registering SSH key ${name}`, () => model.createSSHKey(name, publicKey)),
    removeSshKey: async id => write(`Removing SSH key ${id}`, () => model.deleteSSHKey(id)),
  };
}

const nameOf = ({ zone, id }: ServerRef): string => `server ${zone}/${id}`;

function portServer(server: SimServer, model: ScalewayModel): MacServer {
  const image = model.state.images.find(each => each.id === server.imageId);
  const { sudoPassword, vncUrl } = passwordFields(server);
  return {
    id: server.id,
    zone: server.zone,
    name: server.name,
    type: server.type,
    status: server.status,
    delivered: server.delivered,
    ip: server.ip,
    sshUser: 'm1',
    projectId: model.state.projectId,
    os: image === undefined ? undefined : portImage(image),
    sudoPassword: passwordOf(sudoPassword, vncUrl),
  };
}

const portImage = ({ id, name, family, version, serverTypes }: SimImage): OsImage => ({
  id,
  name,
  family,
  version,
  serverTypes,
});

const isNotFound = (error: unknown): boolean => error instanceof Refusal && error.status === 404;

function read<T>(run: () => Sighting<T>, known: (error: unknown) => Sighting<T> | undefined): Sighting<T> {
  try {
    return run();
  } catch (error) {
    return known(error) ?? unclear(error);
  }
}

function list<T>(run: () => readonly T[]): Listing<T> {
  try {
    return present([...run()]);
  } catch (error) {
    return unclear(error);
  }
}

function unclear(error: unknown): Unknown {
  if (error instanceof Refusal || error instanceof NoAnswer) return unknown(error.message);
  throw error;
}

function write(what: string, run: () => unknown): void {
  try {
    run();
  } catch (error) {
    throw failureOf(what, error);
  }
}

function failureOf(what: string, error: unknown): unknown {
  if (error instanceof NoAnswer) return cloudUnavailable(what, error.message);
  if (!(error instanceof Refusal)) return error;
  if (error.status === 404) return serverNotThere(what);
  if (error.type === 'transient_state') return serverBusy(what, error.currentState);
  if (error.status === 429 || error.status >= 500) return cloudUnavailable(what, error.message);
  return cloudRefused(what, error.message);
}
