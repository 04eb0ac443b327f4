// Simulated hosts behind the BareMetalHosts of any API: this takes the place of the Bare Metal Operator and its hardware.

import { type Clock, seconds } from '../../src/base/clock.ts';
import { BareMetalHost } from '../../src/kinds/generated/bare-metal-host.generated.ts';
import type { Api } from '../../src/kube/api.ts';
import type { KubeWorld } from '../../src/kube/controller.ts';
import { isConflict, isNotFound } from '../../src/kube/errors.ts';
import { type KubeObject, keyOf, keyText, type ObjectKey } from '../../src/kube/object.ts';
import { done, type Outcome, wait } from '../../src/kube/outcome.ts';
import { keyController, type Runnable } from '../../src/kube/run.ts';
import { Boots, type WorkloadNodes } from './boots.ts';
import { BARE_METAL_HOST_FINALIZER, type HostStep, isRunning, step } from './model.ts';
import { delayOf, type HostQuirks } from './quirks.ts';

export interface HostsOptions {
  readonly clock: Clock;
  /** Where hosts register their Nodes. */
  readonly workload: WorkloadNodes;
  /** Of every host that has none of its own. */
  readonly quirks?: HostQuirks;
}

interface Due {
  readonly what: string;
  readonly atMs: number;
}

export class SimulatedHosts {
  readonly #options: HostsOptions;
  readonly #quirks = new Map<string, HostQuirks>();
  readonly #due = new Map<string, Due>();
  readonly #boots: Boots;
  readonly #listeners = new Set<(key: ObjectKey) => void>();

  constructor(options: HostsOptions) {
    this.#options = options;
    this.#boots = new Boots(options.workload);
  }

  /** From now on this host is odd in this way, and in no other; without quirks it is as usual again. */
  is(host: ObjectKey, quirks?: HostQuirks): void {
    if (quirks === undefined) this.#quirks.delete(keyText(host));
    else this.#quirks.set(keyText(host), quirks);
    for (const listener of this.#listeners) listener(host);
  }

  /** What moves the hosts; to be run with an identity that may write BareMetalHosts. */
  controller(): Runnable<KubeWorld> {
    return keyController({
      name: 'simulated-hosts',
      kind: BareMetalHost,
      workers: 8,
      wakes: (_, wake) => this.#listeners.add(wake),
      pass: (key, object, world) => this.#pass(key, object as BareMetalHost | undefined, world),
    });
  }

  async #pass(key: ObjectKey, host: BareMetalHost | undefined, { api }: KubeWorld): Promise<Outcome> {
    if (host === undefined) {
      this.#due.delete(keyText(key));
      return done();
    }
    const quirks = this.#quirksOf(key);
    const next = step(host, quirks);
    if (next !== undefined) {
      return this.#whenDue(key, { name: next.name, uid: host.metadata.uid, afterMs: next.afterMs }, () =>
        carryOut(api, host, next),
      );
    }
    return this.#attendNode(key, host, quirks);
  }

  #quirksOf(key: ObjectKey): HostQuirks {
    const { quirks = {} } = this.#options;
    const own = this.#quirks.get(keyText(key));
    return own === undefined ? quirks : { ...quirks, ...own, delaysMs: { ...quirks.delaysMs, ...own.delaysMs } };
  }

  /** Carries it out once it has been due all the while; what is due instead begins anew. */
  async #whenDue(
    key: ObjectKey,
    { name, uid, afterMs }: { name: string; uid: string | undefined; afterMs: number },
    carryOut: () => Promise<void>,
  ): Promise<Outcome> {
    const { clock } = this.#options;
    const what = `${uid} ${name}`;
    const known = this.#due.get(keyText(key));
    const due = known?.what === what ? known : { what, atMs: clock.monotonic() + afterMs };
    this.#due.set(keyText(key), due);
    const leftMs = due.atMs - clock.monotonic();
    if (leftMs > 0) return wait({ port: 'hardware', subject: key.name }, `it to be ${name}`, leftMs);
    await carryOut();
    this.#due.delete(keyText(key));
    return done();
  }

  async #attendNode(key: ObjectKey, host: BareMetalHost, quirks: HostQuirks): Promise<Outcome> {
    const outside = { port: 'workload cluster', subject: key.name };
    const again = (what: string): Outcome => wait(outside, what, seconds(5));
    if (!isRunning(host)) return (await this.#boots.silenced(host)) ? done() : again('its Node to be silenced');
    if (this.#boots.has(host)) return done();
    let isThere = false;
    const due = { name: 'node', uid: host.metadata.uid, afterMs: delayOf('node', quirks) };
    const outcome = await this.#whenDue(key, due, async () => {
      isThere = await this.#boots.registered(host, quirks.node);
    });
    return outcome.kind === 'wait' || isThere ? outcome : again('its cluster to take its Node');
  }
}

/** The status first: an annotation or a finalizer goes when what it asked for is on record. */
async function carryOut(api: Api, host: BareMetalHost, { status, finalizer, annotationGone }: HostStep): Promise<void> {
  const { uid, resourceVersion } = host.metadata;
  const key = keyOf(host);
  try {
    let at = resourceVersion;
    if (status !== undefined) {
      const body = { metadata: { uid, resourceVersion: at }, status };
      at = (await api.patch(BareMetalHost, key, body, { subresource: 'status' })).metadata.resourceVersion;
    }
    if (finalizer === undefined && annotationGone === undefined) return;
    const metadata = {
      uid,
      resourceVersion: at,
      ...(finalizer === undefined ? {} : { finalizers: finalizersAfter(host, finalizer) }),
      ...(annotationGone === undefined ? {} : { annotations: { [annotationGone]: null } }),
    };
    await api.patch(BareMetalHost, key, { metadata });
  } catch (error) {
    // Somebody wrote it meanwhile: the watch brings what it is now, and that is looked at.
    if (!isConflict(error) && !isNotFound(error)) throw error;
  }
}

function finalizersAfter(host: KubeObject, what: 'put on' | 'taken off'): readonly string[] {
  const others = (host.metadata.finalizers ?? []).filter(each => each !== BARE_METAL_HOST_FINALIZER);
  return what === 'put on' ? [...others, BARE_METAL_HOST_FINALIZER] : others;
}
