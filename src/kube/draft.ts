// The object of one pass, as it is and as it is to be: spec and metadata are written at once, status once, in the end.

import type { Clock } from '../base/clock.ts';
import type { Api } from './api.ts';
import { Concluded } from './concluded.ts';
import { conditionsOf, type Verdict, withVerdicts } from './conditions.ts';
import type { Kind } from './kind.ts';
import { effective, type Fields, joinedPatches, mergePatched, same } from './merge-patch.ts';
import { type KubeObject, keyOf } from './object.ts';
import type { Change } from './outcome.ts';

export interface DraftWorld {
  readonly api: Api;
  readonly clock: Clock;
}

/** What is written about one object in one pass. Every write is locked to the version that was read. */
export class Draft<T extends KubeObject> {
  /** What the next step sees: the object with all changes of the pass so far. */
  current: T;
  /** Own writes that need no further pass. */
  readonly concluded = new Concluded();
  private readonly kind: Kind<T>;
  private readonly world: DraftWorld;
  private live: T;
  private status: Fields = {};
  private readonly verdicts = new Map<string, Verdict>();

  constructor(kind: Kind<T>, object: T, world: DraftWorld) {
    this.kind = kind;
    this.world = world;
    this.live = object;
    this.current = object;
  }

  /** Takes over what a step wants: writes spec, labels and annotations now, keeps status for the end. */
  async take(change: Change | undefined): Promise<void> {
    if (change === undefined) return;
    this.status = joinedPatches(this.status, change.status ?? {});
    for (const verdict of change.conditions ?? []) this.verdicts.set(verdict.type, verdict);
    const { labels, annotations, spec } = change;
    const wanted = {
      ...(spec === undefined ? {} : { spec }),
      ...(labels === undefined && annotations === undefined ? {} : { metadata: defined({ labels, annotations }) }),
    };
    const patch = effective(this.live, wanted);
    if (patch !== undefined) await this.write(patch, { echo: 'heard' });
    this.current = this.overlaid();
  }

  /** Says what a condition is to be, unless a step has said so itself. */
  judge(verdict: Verdict): void {
    if (!this.verdicts.has(verdict.type)) this.verdicts.set(verdict.type, verdict);
    this.current = this.overlaid();
  }

  /** The finalizers are to be these. */
  async setFinalizers(finalizers: readonly string[]): Promise<void> {
    await this.write({ metadata: { finalizers } }, { echo: 'quiet' });
    this.current = this.overlaid();
  }

  /** The one status write; none when nothing changes. `quiet`: what it changes gives no reason to look again at once. */
  async writeStatus(quiet: 'quiet' | 'heard'): Promise<void> {
    const before = statusOf(this.live);
    const conditions = this.conditions();
    const fields = effective(before, this.status);
    const changed = same(conditions, conditionsOf(this.live)) ? {} : { conditions };
    if (fields === undefined && changed.conditions === undefined) return;
    const echo = fields === undefined ? 'quiet' : quiet;
    await this.write({ status: { ...fields, ...changed } }, { subresource: 'status', echo });
  }

  private async write(
    patch: Fields & { metadata?: unknown },
    { subresource, echo }: { readonly subresource?: string; readonly echo: 'quiet' | 'heard' },
  ): Promise<void> {
    const { resourceVersion } = this.live.metadata;
    const metadata = { ...(patch.metadata as Fields | undefined), resourceVersion };
    const options = subresource === undefined ? {} : { subresource };
    this.live = await this.world.api.patch(this.kind, keyOf(this.live), { ...patch, metadata }, options);
    if (echo === 'quiet') this.concluded.noteChanged(this.kind, this.live, resourceVersion);
  }

  private overlaid(): T {
    const status = mergePatched(statusOf(this.live), this.status) as Fields;
    const conditions = this.conditions();
    const whole = conditions.length === 0 ? status : { ...status, conditions };
    return Object.keys(whole).length === 0 ? this.live : { ...this.live, status: whole };
  }

  private conditions(): ReturnType<typeof withVerdicts> {
    return withVerdicts(conditionsOf(this.live), [...this.verdicts.values()], this.world.clock.now());
  }
}

const statusOf = (object: KubeObject): Fields => (object as { status?: Fields }).status ?? {};

const defined = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
