// The Mac provider's cloud on the official Scaleway SDK: how its answers are put into the port's words.

import { Applesiliconv1alpha1 } from '@scaleway/sdk-applesilicon';
import { Iamv1alpha1 } from '@scaleway/sdk-iam';
import { notSeen, present, unknown } from '../../base/sighting.ts';
import type { Listing, MacCloud, MacServer, OsImage, ServerRef, ServerStatus } from '../../mac/cloud.ts';
import { passwordOf } from '../../mac/sudo-password.ts';
import { type ScalewayAccess, scalewayClient } from './client.ts';
import { isAbsenceOf, whyUnclear, writeFailure } from './failures.ts';
import { completeList } from './pages.ts';

type Server = Applesiliconv1alpha1.Server;
type Zone = Server['zone'];

/** Rents Macs in one project of Scaleway. Reads no environment and no configuration file (safe-24). */
export function scalewayCloud(access: ScalewayAccess): MacCloud {
  const client = scalewayClient(access);
  const apple = new Applesiliconv1alpha1.API(client);
  const iam = new Iamv1alpha1.API(client);
  const { projectId } = access;

  return {
    async server({ zone, id }) {
      try {
        return present(portServer(await apple.getServer({ zone: zone as Zone, serverId: id })));
      } catch (error) {
        return isAbsenceOf(error, id) ? notSeen('scaleway', nameOf({ zone, id })) : unknown(whyUnclear(error));
      }
    },
    servers: zone =>
      list(
        pages =>
          apple
            .listServers({ zone: zone as Zone, projectId, ...pages })
            .then(({ servers, totalCount }) => ({ items: servers, totalCount })),
        portServer,
      ),
    images: zone =>
      list(
        pages =>
          apple.listOS({ zone: zone as Zone, ...pages }).then(({ os, totalCount }) => ({ items: os, totalCount })),
        portImage,
      ),
    // Without the project a project's key may not list (mac-F41).
    sshKeys: () =>
      list(
        pages =>
          iam.listSSHKeys({ projectId, ...pages }).then(({ sshKeys, totalCount }) => ({ items: sshKeys, totalCount })),
        ({ id, name, publicKey }) => ({ id, name, publicKey }),
      ),
    rename: (ref, name) => write(`Renaming ${nameOf(ref)}`, () => apple.updateServer({ ...target(ref), name })),
    reinstall: (ref, imageId) =>
      write(`Reinstalling ${nameOf(ref)}`, () =>
        apple.reinstallServer({ ...target(ref), ...(imageId === undefined ? {} : { osId: imageId }) }),
      ),
    reboot: ref => write(`Rebooting ${nameOf(ref)}`, () => apple.rebootServer(target(ref))),
    addSshKey: (name, publicKey) =>
      write(`Registering SSH key ${name}`, () => iam.createSSHKey({ name, publicKey, projectId })),
    removeSshKey: id => write(`Removing SSH key ${id}`, () => iam.deleteSSHKey({ sshKeyId: id })),
  };
}

const nameOf = ({ zone, id }: ServerRef): string => `server ${zone}/${id}`;

const target = ({ zone, id }: ServerRef): { zone: Zone; serverId: string } => ({ zone: zone as Zone, serverId: id });

type Page<R> = { readonly items: readonly R[]; readonly totalCount: number };

async function list<R extends { readonly id: string }, T>(
  fetchPage: (pages: { readonly page: number; readonly pageSize: number }) => Promise<Page<R>>,
  portOf: (item: R) => T,
): Promise<Listing<T>> {
  try {
    return present((await completeList(fetchPage)).map(portOf));
  } catch (error) {
    return unknown(whyUnclear(error));
  }
}

async function write(what: string, run: () => Promise<unknown>): Promise<void> {
  try {
    await run();
  } catch (error) {
    throw writeFailure(what, error);
  }
}

function portServer(server: Server): MacServer {
  return {
    id: server.id,
    zone: server.zone,
    name: server.name,
    type: server.type,
    status: server.status as ServerStatus,
    delivered: server.delivered,
    ip: server.ip,
    sshUser: server.sshUsername,
    projectId: server.projectId,
    os: server.os === undefined ? undefined : portImage(server.os),
    sudoPassword: passwordOf(server.sudoPassword, server.vncUrl),
  };
}

function portImage({
  id,
  name,
  family,
  version,
  compatibleServerTypes,
  supportedServerTypes,
}: Applesiliconv1alpha1.OS): OsImage {
  const supported = supportedServerTypes.map(({ serverType }) => serverType);
  return { id, name, family, version, serverTypes: supported.length > 0 ? supported : (compatibleServerTypes ?? []) };
}
