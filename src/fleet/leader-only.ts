// The outside world as a program may touch it that must lead: every write asks for the lease just before it begins.

import type { LeaderGate } from '../kube/leader-gate.ts';
import type { MacCloud } from '../mac/cloud.ts';
import type { HostShell } from '../mac/host-shell.ts';

/** Reads are free; a write of a replica that does not lead is not begun. */
export function leaderOnlyCloud(cloud: MacCloud, gate: LeaderGate): MacCloud {
  const held =
    <Args extends readonly unknown[]>(what: string, write: (...args: Args) => Promise<void>) =>
    async (...args: Args): Promise<void> => {
      gate.assertHeld(what);
      await write(...args);
    };
  return {
    server: ref => cloud.server(ref),
    servers: zone => cloud.servers(zone),
    images: zone => cloud.images(zone),
    sshKeys: () => cloud.sshKeys(),
    rename: held('Renaming a server', (...args) => cloud.rename(...args)),
    reinstall: held('Reinstalling a server', (...args) => cloud.reinstall(...args)),
    reboot: held('Rebooting a server', (...args) => cloud.reboot(...args)),
    addSshKey: held('Registering an SSH key', (...args) => cloud.addSshKey(...args)),
    removeSshKey: held('Removing an SSH key', (...args) => cloud.removeSshKey(...args)),
  };
}

/** A step that has begun goes on; the next one is not begun once the lead is lost. */
export function leaderOnlyShell(shell: HostShell, gate: LeaderGate): HostShell {
  return {
    async open(login) {
      const opened = await shell.open(login);
      if (opened.kind !== 'open') return opened;
      const { session } = opened;
      return {
        ...opened,
        session: {
          close: () => session.close(),
          run: async step => {
            gate.assertHeld(`Step ${step.name} of a set-up`);
            return session.run(step);
          },
        },
      };
    },
  };
}
