// What a watching client sees of a run: how many claims are rendered, addresses bound, data ready, and what is left.

import type { Clock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log.ts';
import { noMetrics } from '../../src/base/metrics.ts';
import type { Random } from '../../src/base/random.ts';
import { IPAddress } from '../../src/kinds/generated/ip-address.generated.ts';
import { IPClaim } from '../../src/kinds/generated/ip-claim.generated.ts';
import { IPPool } from '../../src/kinds/generated/ip-pool.generated.ts';
import { Metal3Data } from '../../src/kinds/generated/metal3-data.generated.ts';
import { Metal3DataClaim } from '../../src/kinds/generated/metal3-data-claim.generated.ts';
import { Metal3DataTemplate } from '../../src/kinds/generated/metal3-data-template.generated.ts';
import { CLUSTER_NAME_LABEL } from '../../src/kinds/wire.ts';
import { callerOf } from '../../src/kube/client.ts';
import { Secret } from '../../src/kube/core/other.ts';
import { caches, type RunningCaches } from '../../src/kube/informer.ts';
import { type Kind, metadataOf } from '../../src/kube/kind.ts';
import type { KubeObject } from '../../src/kube/object.ts';
import type { Transport } from '../../src/kube/transport.ts';

const SecretNames = metadataOf(Secret);

/** All that a claim's deletion takes with it. */
export const MADE_KINDS: readonly Kind[] = [Metal3DataClaim, Metal3Data, IPClaim, IPAddress, SecretNames];
const ALL_KINDS: readonly Kind[] = [...MADE_KINDS, Metal3DataTemplate, IPPool];

const isRendered = ({ status }: Metal3DataClaim): boolean => (status?.renderedData?.name ?? '') !== '';
const isBound = ({ status }: IPClaim): boolean => (status?.address?.name ?? '') !== '';
const isReady = ({ status }: Metal3Data): boolean => status?.ready === true;

/** Times are read from watches. */
export class Sight {
  private readonly namespace: string;
  private readonly running: RunningCaches;
  private readonly counts = new Map<string, number>();
  private readonly waiters = new Set<() => void>();

  constructor(transport: Transport, seams: { clock: Clock; random: Random }, namespace: string) {
    this.namespace = namespace;
    const caller = callerOf(transport, { clock: seams.clock });
    this.running = caches({ caller, random: seams.random, log: silentLog, metrics: noMetrics });
    this.follow('rendered', Metal3DataClaim, isRendered);
    this.follow('bound', IPClaim, isBound);
    this.follow('ready', Metal3Data, isReady);
    for (const kind of ALL_KINDS) this.follow(kind.kind, kind, () => true);
  }

  async open(): Promise<void> {
    await Promise.all(ALL_KINDS.map(kind => this.informer(kind).whenSynced()));
  }

  /** Milliseconds since `startMs` when `holds` first did. */
  async since(startMs: number, holds: (count: (what: string) => number) => boolean): Promise<number> {
    const count = (what: string): number => this.counts.get(what) ?? 0;
    await new Promise<void>(resolve => {
      const look = (): void => {
        if (!holds(count)) return;
        this.waiters.delete(look);
        resolve();
      };
      this.waiters.add(look);
      look();
    });
    return performance.now() - startMs;
  }

  close(): Promise<void> {
    return this.running.stop();
  }

  private informer<T extends KubeObject>(kind: Kind<T>) {
    const selection = { namespace: this.namespace };
    return kind.kind === Secret.kind
      ? this.running.of(kind, { ...selection, labels: CLUSTER_NAME_LABEL })
      : this.running.of(kind, selection);
  }

  private follow<T extends KubeObject>(what: string, kind: Kind<T>, counts: (object: T) => boolean): void {
    this.informer(kind).onChange(({ type, object, previous }) => {
      const before = previous !== undefined && counts(previous) ? 1 : 0;
      const after = type !== 'deleted' && counts(object) ? 1 : 0;
      if (before === after) return;
      this.counts.set(what, (this.counts.get(what) ?? 0) + after - before);
      for (const look of [...this.waiters]) look();
    });
  }
}
