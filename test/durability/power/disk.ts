// A disk that forgets: what is on it for sure, and what is on its way, as a trace's steps leave it.

import type { Random } from '../../../src/base/random.ts';
import { Bytes } from './bytes.ts';
import type { Step } from './strace.ts';

type Content = Extract<Step, { kind: 'write' | 'truncate' }>;

interface Inode {
  readonly durable: Bytes;
  readonly pending: { readonly at: number; readonly step: Content }[];
}

interface Naming {
  readonly at: number;
  readonly name: string;
  /** Undefined: the name goes. */
  readonly inode: Inode | undefined;
}

const SECTOR_BYTES = 512;

export class Disk {
  readonly #folder: string;
  /** As the running program sees it, and as a crash leaves it for sure. */
  readonly #live = new Map<string, Inode>();
  readonly #durable = new Map<string, Inode>();
  #namings: Naming[] = [];
  /** Writes that carry an acknowledged object, by the object's number; those that are on disk for sure. */
  readonly #kept = new Set<number>();
  #at = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Whether object `seq` is on disk for sure, in a file that has its name for sure. */
  keeps(seq: number): boolean {
    return this.#kept.has(seq);
  }

  /** Whether a file has something on its way to the disk. */
  isBehind(path: string): boolean {
    return this.#inode(path).pending.length > 0;
  }

  take(step: Step): void {
    this.#at += 1;
    if (step.kind === 'write' || step.kind === 'truncate') this.#inode(step.path).pending.push({ at: this.#at, step });
    else if (step.kind === 'create') this.#create(step.path);
    else if (step.kind === 'unlink') this.#name(step.path, undefined);
    else if (step.kind === 'rename') this.#rename(step.path, step.to);
    else if (step.kind === 'link') this.#name(step.to, this.#inode(step.path));
    else if (step.kind === 'sync') this.#sync(step.path, step.began);
  }

  /** What a crash now may leave: all that was synced, and of the rest whatever chance lets through, torn or whole. */
  image(random: Random): ReadonlyMap<string, Buffer> {
    const names = new Map(this.#durable);
    for (const { name, inode } of survivors(this.#namings, random)) {
      if (inode === undefined) names.delete(name);
      else names.set(name, inode);
    }
    return new Map([...names].map(([name, inode]) => [name, contentAfterCrash(inode, random)]));
  }

  #inode(path: string): Inode {
    const inode = this.#live.get(path);
    if (inode === undefined) throw new Error(`the trace writes to ${path}, which it has not created`);
    return inode;
  }

  #create(path: string): void {
    if (!this.#live.has(path)) this.#name(path, { durable: new Bytes(), pending: [] });
  }

  #name(name: string, inode: Inode | undefined): void {
    if (inode === undefined) this.#live.delete(name);
    else this.#live.set(name, inode);
    this.#namings.push({ at: this.#at, name, inode });
  }

  #rename(path: string, to: string): void {
    const inode = this.#inode(path);
    this.#name(path, undefined);
    this.#name(to, inode);
  }

  #sync(path: string, began: number): void {
    if (path === this.#folder) this.#syncNames(began);
    else this.#syncContent(path, began);
  }

  #syncNames(began: number): void {
    for (const { at, name, inode } of this.#namings) {
      if (at > began) continue;
      if (inode === undefined) this.#durable.delete(name);
      else this.#durable.set(name, inode);
    }
    this.#namings = this.#namings.filter(({ at }) => at > began);
  }

  #syncContent(path: string, began: number): void {
    const inode = this.#live.get(path);
    if (inode === undefined) return;
    const hasName = this.#durable.get(path) === inode;
    const synced = inode.pending.filter(({ at }) => at <= began);
    for (const { step } of synced) {
      apply(step, inode.durable);
      if (hasName && step.kind === 'write') for (const token of step.tokens) this.#kept.add(token);
    }
    inode.pending.splice(0, synced.length);
  }
}

/** None, all, or any of them: in their order. */
function survivors<T>(pending: readonly T[], random: Random): readonly T[] {
  const how = random.below(6);
  if (how === 0) return [];
  return how === 1 ? pending : pending.filter(() => random.below(2) === 0);
}

function contentAfterCrash({ durable, pending }: Inode, random: Random): Buffer {
  const content = new Bytes(durable.content);
  for (const { step } of survivors(pending, random)) apply(random.below(4) === 0 ? torn(step, random) : step, content);
  return content.content;
}

function torn(step: Content, random: Random): Content {
  if (step.kind === 'truncate') return step;
  const sectors = random.below(Math.ceil(step.data.length / SECTOR_BYTES));
  return { ...step, data: step.data.subarray(0, sectors * SECTOR_BYTES) };
}

function apply(step: Content, to: Bytes): void {
  if (step.kind === 'truncate') to.resize(step.size);
  else to.write(step.offset, step.data);
}
