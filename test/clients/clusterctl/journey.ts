// A fleet that is moved there and back between two management clusters, and what is held of every move, killed or not.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SimulatedWorkloads } from '../../../sim/metal/workloads.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { createFleet } from './fleet.ts';
import { type Held, heldBy, isAtWork } from './held.ts';
import { type Management, management, type Side } from './management.ts';
import { COMMANDS } from './page.ts';
import { type Run, type Shell, shellBetween, type When } from './shell.ts';
import { servedWorkload } from './workload.ts';

const AT_WORK_WITHIN_MS = 120_000;
const POLL_MS = 250;

/** What a move came to. */
export interface Moved {
  readonly run: Run;
  readonly hostWrites: number;
  readonly seconds: number;
}

export class Journey {
  readonly #folder: string;
  readonly #workloads: SimulatedWorkloads;
  readonly #held: Held;
  /** Where the fleet is, and where it goes next. */
  #source: Management;
  #target: Management;
  /** By the side that is left: one person's folder for each way, with what kubectl keeps in it. */
  readonly #shells = new Map<Management, Shell>();

  private constructor(at: { folder: string; workloads: SimulatedWorkloads; held: Held }, sides: readonly Management[]) {
    const [source, target] = sides;
    if (source === undefined || target === undefined) throw new Error('a move has two sides');
    this.#folder = at.folder;
    this.#workloads = at.workloads;
    this.#held = at.held;
    this.#source = source;
    this.#target = target;
  }

  static async begin(side: Side, machines: number): Promise<Journey> {
    const folder = mkdtempSync(join(tmpdir(), `pippin-move-${side}-`));
    const sides = [await management(side, 'a', join(folder, 'a')), await management(side, 'b', join(folder, 'b'))];
    const [source] = sides;
    if (source === undefined) throw new Error('unreachable');
    await createFleet(source.api, machines);
    const workloads = await servedWorkload(source.api, folder);
    source.hardware.start(workloads);
    await untilAtWork(source, machines);
    return new Journey({ folder, workloads, held: await heldBy(source.api) }, sides);
  }

  /** Of the next move. */
  get direction(): 'there' | 'back' {
    return this.#source.name === 'a' ? 'there' : 'back';
  }

  get managers(): readonly Management[] {
    return [this.#source, this.#target];
  }

  /** As the page says it; killed, it is mended and run again as the page says it. Then the fleet is as it was, elsewhere. */
  async move(killWhen?: When): Promise<Moved> {
    const startMs = Date.now();
    const [source, target] = [this.#source, this.#target];
    await source.hardware.stop();
    for (const { managersWay, clusterctlsWay, hardware } of [source, target]) {
      managersWay.writes.length = 0;
      clusterctlsWay.writes.length = 0;
      hardware.states.length = 0;
    }
    const shell = this.#shells.get(source) ?? shellBetween(source, target, this.#folder);
    this.#shells.set(source, shell);
    const run = await shell.run(COMMANDS.moving, killWhen);
    if (killWhen !== undefined) {
      assert.equal(run.code, 'SIGKILL', `it was to be killed: ${run.said}`);
      for (const lines of [COMMANDS.mending, COMMANDS.moving, COMMANDS.goingOn]) succeeded(await shell.run(lines));
    } else succeeded(run);
    target.hardware.start(this.#workloads);
    [this.#source, this.#target] = [target, source];
    await this.#assertMoved(source, target);
    return { run, hostWrites: hostWritesOf([source, target]), seconds: Math.round((Date.now() - startMs) / 1000) };
  }

  async #assertMoved(from: Management, to: Management): Promise<void> {
    const machines = Object.keys(this.#held).filter(name => name.startsWith('Machine ')).length;
    await untilAtWork(to, machines);
    await untilEqual(this.#held, () => heldBy(to.api));
    assert.deepEqual(await heldBy(from.api), {}, 'nothing is left behind');
    assert.deepEqual([...new Set(to.hardware.states)], ['provisioned'], 'no host was installed again');
    const ends = this.managers.flatMap(({ manager }) => manager.endsByItself);
    assert.deepEqual(ends, [], 'no manager of ours ended by itself');
  }

  async close(): Promise<void> {
    await Promise.all(this.managers.map(each => each.close()));
    await this.#workloads.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function succeeded({ code, said }: Run): void {
  assert.equal(code, 0, said);
}

async function untilAtWork({ api, name }: Management, machines: number): Promise<void> {
  const endMs = Date.now() + AT_WORK_WITHIN_MS;
  while (!(await isAtWork(api, machines))) {
    if (Date.now() > endMs) assert.fail(`not at work on ${name}: ${JSON.stringify(await heldBy(api), undefined, 1)}`);
    await systemClock.sleep(POLL_MS);
  }
}

/** Statuses for readers follow within a second or two. */
async function untilEqual(expected: Held, now: () => Promise<Held>): Promise<void> {
  const endMs = Date.now() + 20_000;
  for (;;) {
    const held = await now();
    try {
      assert.deepEqual(held, expected);
      return;
    } catch (error) {
      if (Date.now() > endMs) throw error;
    }
    await systemClock.sleep(POLL_MS);
  }
}

const MAY_BE_WRITTEN = [
  'baremetalhost.metal3.io/paused',
  'baremetalhost.metal3.io/status',
  'clusterctl.cluster.x-k8s.io/block-move',
];

interface Patch {
  readonly metadata?: { readonly annotations?: Readonly<Record<string, unknown>> };
}

/** How many writes our managers made to hosts: each of the three annotations alone, under its lock. */
function hostWritesOf(sides: readonly Management[]): number {
  const writes = sides.flatMap(({ managersWay }) => managersWay.writes.filter(({ path }) => path.includes(HOSTS)));
  for (const { method, path, body } of writes) {
    const { metadata, ...others }: Patch = JSON.parse(body);
    const { annotations = {}, ...more } = metadata ?? {};
    const isRight =
      method === 'PATCH' &&
      !path.includes('/status') &&
      Object.keys(others).length === 0 &&
      Object.keys(more).every(key => ['uid', 'resourceVersion'].includes(key)) &&
      Object.keys(annotations).every(key => MAY_BE_WRITTEN.includes(key));
    assert.ok(isRight, `a host was written: ${method} ${path} ${body}`);
  }
  return writes.length;
}

const HOSTS = '/baremetalhosts/';
