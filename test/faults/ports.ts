// The fault line around the ports: a cloud, a shell on a host and a VM runtime that refuse, lose answers and hang up.

import { notSeen, unknown } from '../../src/base/sighting.ts';
import {
  cloudRefused,
  cloudUnavailable,
  type MacCloud,
  type ServerRef,
  serverBusy,
  serverNotThere,
} from '../../src/mac/cloud.ts';
import { type HostSession, type HostShell, hostLost } from '../../src/mac/host-shell.ts';
import type { FaultLine, Refusals, Seam } from './fault-line.ts';

/** Which life of which process asks. */
export interface Via {
  readonly process: string;
  readonly life: number;
  readonly line: FaultLine;
}

interface Asked<R> {
  readonly seam: Seam;
  readonly label: string;
  readonly write: boolean;
  readonly perform: () => Promise<R>;
  readonly refusals: Refusals<R>;
}

function through<R>({ process, life, line }: Via, { seam, label, write, perform, refusals }: Asked<R>): Promise<R> {
  return line.through({ process, seam, label, write }, life, perform, refusals);
}

const refText = ({ zone, id }: ServerRef): string => `${zone}/${id}`;

/** The cloud as one life of a process sees it. */
export function faultyCloud(inner: MacCloud, via: Via): MacCloud {
  const list = <T>(label: string, perform: () => Promise<T>): Promise<T> =>
    through<unknown>(via, { seam: 'cloud', label, write: false, perform, refusals: unreadable }) as Promise<T>;
  const write = (label: string, perform: () => Promise<void>): Promise<void> =>
    through(via, { seam: 'cloud', label, write: true, perform, refusals: unwritten(label) });
  return {
    server: ref =>
      through(via, {
        seam: 'cloud',
        label: `server ${refText(ref)}`,
        write: false,
        perform: () => inner.server(ref),
        refusals: {
          refused: code => (code === 404 ? notSeen('the fault plan', ref.id) : unknown(`${code} by the fault plan`)),
          unanswered: unknown,
        },
      }),
    servers: zone => list(`servers ${zone}`, () => inner.servers(zone)),
    images: zone => list(`images ${zone}`, () => inner.images(zone)),
    sshKeys: () => list('ssh keys', () => inner.sshKeys()),
    rename: (ref, name) => write(`rename ${refText(ref)}`, () => inner.rename(ref, name)),
    reinstall: (ref, image) => write(`reinstall ${refText(ref)}`, () => inner.reinstall(ref, image)),
    reboot: ref => write(`reboot ${refText(ref)}`, () => inner.reboot(ref)),
    addSshKey: (name, key) => write(`add ssh key ${name}`, () => inner.addSshKey(name, key)),
    removeSshKey: id => write(`remove ssh key ${id}`, () => inner.removeSshKey(id)),
  };
}

const unreadable: Refusals<unknown> = {
  refused: code => unknown(`${code} by the fault plan`),
  unanswered: unknown,
};

function unwritten(what: string): Refusals<void> {
  return {
    refused: code => {
      if (code === 403) throw cloudRefused(what, '403 by the fault plan');
      if (code === 404) throw serverNotThere(what);
      if (code === 409) throw serverBusy(what, 'by the fault plan');
      throw cloudUnavailable(what, `${code} by the fault plan`);
    },
    unanswered: why => {
      throw cloudUnavailable(what, why);
    },
  };
}

/** The shell as one life of a process sees it: every fault is a host that cannot be reached, or is lost in mid-step. */
export function faultyShell(inner: HostShell, via: Via): HostShell {
  return {
    open: async login => {
      const why = (code: number | string): { kind: 'unreachable'; why: string } => ({
        kind: 'unreachable',
        why: `${code} by the fault plan`,
      });
      const opened = await through(via, {
        seam: 'ssh',
        label: `open ${login.address}`,
        write: false,
        perform: () => inner.open(login),
        refusals: { refused: why, unanswered: why },
      });
      return opened.kind === 'open'
        ? { ...opened, session: faultySession(opened.session, login.address, via) }
        : opened;
    },
  };
}

function faultySession(inner: HostSession, address: string, via: Via): HostSession {
  return {
    run: step => {
      const lost = (why: number | string): never => {
        throw hostLost(step.name, `${why} by the fault plan`);
      };
      return through(via, {
        seam: 'ssh',
        label: `${address} ${step.name}`,
        write: true,
        perform: () => inner.run(step),
        refusals: { refused: lost, unanswered: lost },
      });
    },
    close: () => inner.close(),
  };
}
