// Which Datas name which Template and which indexes they hold, kept by events: no pass ever counts a namespace again.

import { NumberSet } from '../../base/number-set.ts';
import { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import { Metal3DataClaim } from '../../kinds/generated/metal3-data-claim.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import type { Informer } from '../../kube/cache.ts';
import type { KubeWorld } from '../../kube/controller.ts';
import { keyOf, keyText, type ObjectKey, type ObjectMeta } from '../../kube/object.ts';

/** Indexes are 32-bit in the API; what is none holds no index. */
const LARGEST_INDEX = 2 ** 31 - 1;

/** `status.indexes` of a Template: whose claim has which index. */
export interface IndexEntry {
  readonly name: string;
  readonly index: number;
}

/** What one Data takes of a Template: by its spec, and by its name, which no other Data can have. */
interface Hold {
  readonly template: string;
  readonly index: number;
}

/** One Template's indexes: each with whoever holds it, a Data or a claim whose Data is being made. */
class Pages {
  private readonly used = new NumberSet();
  /** Datas whose spec names the Template, by key. */
  readonly datas = new Map<string, Metal3Data>();
  private readonly holders = new Map<number, Set<string>>();

  hold(index: number, holder: string): void {
    const holders = this.holders.get(index) ?? new Set();
    this.holders.set(index, holders.add(holder));
    this.used.add(BigInt(index));
  }

  letGo(index: number, holder: string): void {
    const holders = this.holders.get(index);
    if (holders?.delete(holder) !== true || holders.size > 0) return;
    this.holders.delete(index);
    this.used.delete(BigInt(index));
  }

  lowestFree(): number {
    return Number(this.used.firstAbsent(0n));
  }

  get isBlank(): boolean {
    return this.datas.size === 0 && this.holders.size === 0;
  }
}

/** A Claim or a machine, which notes its Data in its status. */
type Noting = Metal3DataClaim | Metal3Machine;

function notedHold(object: Noting | undefined): Hold | undefined {
  const name = object?.status?.renderedData?.name ?? '';
  return holdOfName({ name, namespace: object?.metadata.namespace ?? '' });
}

/** The indexes of all Templates. Bounded by the Datas that exist and the claims that are being served. */
export class IndexBook {
  private readonly pages = new Map<string, Pages>();
  private readonly reserved = new Map<string, Hold[]>();

  constructor(datas: Informer<Metal3Data>, ...noting: readonly Informer<Noting>[]) {
    for (const data of datas.list()) this.enter(data);
    datas.onChange(({ type, object, previous }) => {
      if (previous !== undefined) this.strike(previous);
      if (type !== 'deleted') this.enter(object);
    });
    for (const each of noting) this.heed(each);
  }

  /** A Data that is gone by force still holds its index for whoever has noted it: a host may run with it (metal-h1). */
  private heed(noting: Informer<Noting>): void {
    const holderOf = (object: Noting): string => `${noting.kind.kind} ${keyText(keyOf(object))}`;
    for (const object of noting.list()) this.note(notedHold(object), holderOf(object));
    noting.onChange(({ type, object, previous }) => {
      const before = notedHold(previous ?? (type === 'deleted' ? object : undefined));
      const now = notedHold(type === 'deleted' ? undefined : object);
      if (before?.template === now?.template && before?.index === now?.index) return;
      this.forget(before, holderOf(object));
      this.note(now, holderOf(object));
    });
  }

  private note(hold: Hold | undefined, holder: string): void {
    if (hold !== undefined) this.pagesOf(hold.template).hold(hold.index, holder);
  }

  private forget(hold: Hold | undefined, holder: string): void {
    if (hold === undefined) return;
    this.pages.get(hold.template)?.letGo(hold.index, holder);
    this.tidy(hold.template);
  }

  /** The lowest index that nobody holds, held for this claim until `settle`. */
  reserve(template: ObjectKey, claim: ObjectKey): number {
    const pages = this.pagesOf(keyText(template));
    const index = pages.lowestFree();
    this.reserveThis({ template: keyText(template), index }, keyText(claim));
    return index;
  }

  /** Holds one index for a claim, whoever else may hold it: the name of the Data decides. */
  private reserveThis(hold: Hold, claim: string): void {
    this.pagesOf(hold.template).hold(hold.index, `claim ${claim}`);
    this.reserved.set(claim, [...(this.reserved.get(claim) ?? []), hold]);
  }

  /** Whatever was reserved for this claim is in the cache by now, or was never made. */
  settle(claim: ObjectKey): void {
    const key = keyText(claim);
    for (const { template, index } of this.reserved.get(key) ?? []) {
      this.pages.get(template)?.letGo(index, `claim ${key}`);
      this.tidy(template);
    }
    this.reserved.delete(key);
  }

  /** How many Datas name the Template: those that are being deleted too (metal-e), with a claim or without (metal-G9). */
  countOf(template: ObjectKey): number {
    return this.pages.get(keyText(template))?.datas.size ?? 0;
  }

  /** The Datas that name the Template. */
  datasOf(template: ObjectKey): Iterable<Metal3Data> {
    return this.pages.get(keyText(template))?.datas.values() ?? [];
  }

  private enter(data: Metal3Data): void {
    const key = keyText(keyOf(data));
    for (const { template, index } of holdsOf(data)) this.pagesOf(template).hold(index, key);
    const template = templateKeyOf(data);
    if (template !== undefined) this.pagesOf(template).datas.set(key, data);
  }

  private strike(data: Metal3Data): void {
    const key = keyText(keyOf(data));
    const template = templateKeyOf(data);
    if (template !== undefined) this.pages.get(template)?.datas.delete(key);
    for (const hold of holdsOf(data)) {
      this.pages.get(hold.template)?.letGo(hold.index, key);
      this.tidy(hold.template);
    }
    if (template !== undefined) this.tidy(template);
  }

  private pagesOf(template: string): Pages {
    const before = this.pages.get(template);
    if (before !== undefined) return before;
    const fresh = new Pages();
    this.pages.set(template, fresh);
    return fresh;
  }

  private tidy(template: string): void {
    if (this.pages.get(template)?.isBlank) this.pages.delete(template);
  }
}

function templateKeyOf({ metadata, spec }: Metal3Data): string | undefined {
  const name = spec?.template?.name;
  return name === undefined || name === '' ? undefined : `${metadata.namespace ?? ''}/${name}`;
}

function holdsOf(data: Metal3Data): readonly Hold[] {
  const template = templateKeyOf(data);
  const index = data.spec?.index;
  const bySpec = template === undefined || !isIndex(index) ? [] : [{ template, index }];
  const byName = holdOfName(data.metadata);
  return byName === undefined || bySpec.some(hold => same(hold, byName)) ? bySpec : [...bySpec, byName];
}

/** The name is the lock: `abc-3` is in the way of the third index of `abc`, whatever that Data says of itself. */
function holdOfName({ name, namespace = '' }: Pick<ObjectMeta, 'name' | 'namespace'>): Hold | undefined {
  const match = /^(.+)-(0|[1-9]\d*)$/.exec(name);
  const index = Number(match?.[2]);
  return match === null || !isIndex(index) ? undefined : { template: `${namespace}/${match[1]}`, index };
}

const isIndex = (index: number | undefined): index is number =>
  index !== undefined && Number.isInteger(index) && index >= 0 && index <= LARGEST_INDEX;

const same = (one: Hold, other: Hold): boolean => one.template === other.template && one.index === other.index;

/** The entries that a Template's status lists, lowest index first. A Data without a claim has none to name. */
export function entriesOf(datas: Iterable<Metal3Data>): readonly IndexEntry[] {
  const byIndex = new Map<number, IndexEntry>();
  for (const { spec } of datas) {
    const name = spec?.claim?.name ?? '';
    const { index } = spec ?? {};
    if (name !== '' && isIndex(index) && !byIndex.has(index)) byIndex.set(index, { name, index });
  }
  return [...byIndex.values()].sort((one, other) => one.index - other.index);
}

const books = new WeakMap<Informer<Metal3Data>, IndexBook>();

/** The one book of a process. */
export function indexBook({ caches }: Pick<KubeWorld, 'caches'>): IndexBook {
  const datas = caches.of(Metal3Data);
  const before = books.get(datas);
  if (before !== undefined) return before;
  const fresh = new IndexBook(datas, caches.of(Metal3DataClaim), caches.of(Metal3Machine));
  books.set(datas, fresh);
  return fresh;
}
