// The life of a program that runs in this process: it can die where it stands, and nothing of it acts after that.

import type { Transport } from '../../../src/kube/transport.ts';
import type { MacCloud } from '../../../src/mac/cloud.ts';
import type { HostShell } from '../../../src/mac/host-shell.ts';

/** From the moment of its death every answer stays out, and no further request leaves. */
export class ProcessLife {
  readonly #controller = new AbortController();
  #isOver = false;

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** As a kill does it: no last write, nothing wound down. */
  die(): void {
    this.#isOver = true;
    this.end();
  }

  /** As a polite end does it: what is under way may finish. */
  end(): void {
    this.#controller.abort(new Error('the program was ended'));
  }

  /** The API as long as it lives. */
  transport(inner: Transport): Transport {
    return async request => {
      const answer = await this.#alive(() => inner(request));
      if (!this.#isOver) return answer;
      answer.stream?.close('the program was killed');
      return NEVER;
    };
  }

  cloud(inner: MacCloud): MacCloud {
    return {
      server: ref => this.#alive(() => inner.server(ref)),
      servers: zone => this.#alive(() => inner.servers(zone)),
      images: zone => this.#alive(() => inner.images(zone)),
      sshKeys: () => this.#alive(() => inner.sshKeys()),
      rename: (ref, name) => this.#alive(() => inner.rename(ref, name)),
      reinstall: (ref, image) => this.#alive(() => inner.reinstall(ref, image)),
      reboot: ref => this.#alive(() => inner.reboot(ref)),
      addSshKey: (name, key) => this.#alive(() => inner.addSshKey(name, key)),
      removeSshKey: id => this.#alive(() => inner.removeSshKey(id)),
    };
  }

  shell(inner: HostShell): HostShell {
    return {
      open: async login => {
        const opened = await this.#alive(() => inner.open(login));
        if (opened.kind !== 'open') return opened;
        const { session } = opened;
        return {
          ...opened,
          session: { run: step => this.#alive(() => session.run(step)), close: () => session.close() },
        };
      },
    };
  }

  #alive<R>(call: () => Promise<R>): Promise<R> {
    return this.#isOver ? NEVER : call();
  }
}

const NEVER = new Promise<never>(() => undefined);
