// The books of all pools of a process, one for both kinds of claims: rebuilt from the objects at the start, kept by events.

import { IPPool } from '../../kinds/generated/ip-pool.generated.ts';
import { CLUSTER_NAME_LABEL, PAUSED_ANNOTATION } from '../../kinds/wire.ts';
import type { CacheChange, Informer } from '../../kube/cache.ts';
import { isTrue } from '../../kube/conditions.ts';
import { isDeleting, type KubeObject, keyOf, keyText, type ObjectKey, parseKey } from '../../kube/object.ts';
import { canonicalText } from '../addresses/address.ts';
import { type Dialect, holderOf } from '../claim/dialect.ts';
import type { IpamWorld } from '../world.ts';
import { Allocator } from './allocator.ts';
import { addressOfName, objectName, type Plan, planOf } from './plan.ts';
import { Waiting } from './waiting.ts';

const BY_POOL = 'ipam pool';
const BY_POOL_PAUSED = 'ipam pool, paused';
const BY_CLAIM = 'ipam claim';

/** One pool's book. */
export interface Book {
  readonly allocator: Allocator;
  readonly waiting: Waiting;
}

/** Bounded by the pools, addresses and claims that exist. */
export class Books {
  private readonly world: IpamWorld;
  private readonly books = new Map<string, Book>();
  /** Pools of each namespace, by key: an object's name can be in the way of several. */
  private readonly plans = new Map<string, Map<string, Plan>>();
  private readonly dialects = new Set<Dialect>();
  private readonly seen = new Map<string, string>();
  private readonly listeners = new Set<(pool: ObjectKey) => void>();

  constructor(world: IpamWorld) {
    this.world = world;
    const pools = world.caches.of(IPPool);
    for (const pool of pools.list()) this.seePool(pool);
    pools.onChange(({ type, object }) => (type === 'deleted' ? this.losePool(object) : this.seePool(object)));
  }

  /** Keeps the books by these claims and addresses too. Again: nothing. */
  include(dialect: Dialect): void {
    if (this.dialects.has(dialect)) return;
    this.dialects.add(dialect);
    const addresses = this.addresses(dialect);
    addresses.index(BY_POOL, address => textKeys(address, dialect.heldBy(address)?.pool));
    addresses.index(BY_CLAIM, address => textKeys(address, dialect.heldBy(address)?.claim));
    const claims = this.claims(dialect);
    claims.index(BY_POOL, claim => textKeys(claim, dialect.poolOf(claim)?.name));
    claims.index(BY_POOL_PAUSED, claim =>
      isTrue(claim, 'Paused') ? textKeys(claim, dialect.poolOf(claim)?.name) : [],
    );
    for (const address of addresses.list()) this.seeAddress(dialect, address);
    for (const claim of claims.list()) this.seeClaim(dialect, claim);
    addresses.onChange(change => this.hearAddress(dialect, change));
    claims.onChange(({ type, object }) =>
      type === 'deleted' ? this.loseClaim(dialect, object) : this.seeClaim(dialect, object),
    );
  }

  /** Tells of each pool that an address came to or went from, or a claim went from. */
  onTouch(listener: (pool: ObjectKey) => void): void {
    this.listeners.add(listener);
  }

  /** Every kind of claims that is followed. */
  followed(): Iterable<Dialect> {
    return this.dialects;
  }

  of(pool: ObjectKey): Book {
    const key = keyText(pool);
    const before = this.books.get(key);
    if (before !== undefined) return before;
    const { world } = this;
    const waiting = new Waiting();
    const allocator = new Allocator({
      random: world.random.stream(`IPPool ${key}`),
      monotonic: () => world.clock.monotonic(),
      coolDownMs: world.ipam.coolDownMs,
      freed: text => waiting.freed(text),
    });
    this.books.set(key, { allocator, waiting });
    return { allocator, waiting };
  }

  /** The pools of a namespace, by key, as they give out addresses. */
  plansIn(namespace: string): ReadonlyMap<string, Plan> {
    return this.plans.get(namespace) ?? new Map();
  }

  addressesOf(dialect: Dialect, pool: ObjectKey): readonly KubeObject[] {
    return this.addresses(dialect).by(BY_POOL, keyText(pool));
  }

  claimsOf(dialect: Dialect, pool: ObjectKey): readonly KubeObject[] {
    return this.claims(dialect).by(BY_POOL, keyText(pool));
  }

  /** Claims that say they are paused. */
  pausedClaimsOf(dialect: Dialect, pool: ObjectKey): readonly KubeObject[] {
    return this.claims(dialect).by(BY_POOL_PAUSED, keyText(pool));
  }

  /** Whether any claim or address names the pool. */
  isNamed(pool: ObjectKey): boolean {
    return [...this.dialects].some(
      dialect => this.claimsOf(dialect, pool).length + this.addressesOf(dialect, pool).length > 0,
    );
  }

  addressesOfClaim(dialect: Dialect, claim: ObjectKey): readonly KubeObject[] {
    return this.addresses(dialect).by(BY_CLAIM, keyText(claim));
  }

  private addresses({ address }: Dialect): Informer<KubeObject> {
    return this.world.caches.of(address);
  }

  private claims({ claim }: Dialect): Informer<KubeObject> {
    return this.world.caches.of(claim);
  }

  private seePool(pool: IPPool): void {
    const key = keyOf(pool);
    const now = standingOf(pool);
    if (this.seen.get(keyText(key)) === now) return;
    this.seen.set(keyText(key), now);
    const plan = planOf(pool);
    // A pool that is being deleted gives out nothing: who is pre-allocated does not matter any more.
    const current = isDeleting(pool) ? { ...plan, preAllocations: new Map<string, string>() } : plan;
    const before = this.plans.get(key.namespace ?? '')?.get(keyText(key));
    this.plans.set(key.namespace ?? '', (this.plans.get(key.namespace ?? '') ?? new Map()).set(keyText(key), current));
    this.of(key).allocator.replan(current);
    if (before?.namePrefix === plan.namePrefix) return;
    for (const dialect of this.dialects) {
      for (const address of this.addresses(dialect).list(key.namespace)) this.seeAddress(dialect, address);
      for (const claim of this.claimsOf(dialect, key)) this.seeClaim(dialect, claim);
    }
  }

  private losePool(pool: IPPool): void {
    const key = keyOf(pool);
    this.seen.delete(keyText(key));
    this.plans.get(key.namespace ?? '')?.delete(keyText(key));
    this.of(key).allocator.replan();
    this.tidy(keyText(key));
  }

  private hearAddress(dialect: Dialect, { type, object, previous }: CacheChange<KubeObject>): void {
    if (type === 'deleted') this.loseAddress(dialect, previous ?? object);
    else this.seeAddress(dialect, object);
  }

  private seeAddress(dialect: Dialect, address: KubeObject): void {
    const text = dialect.heldBy(address)?.text;
    if (text === undefined) return;
    const holder = holderOf(dialect.address, address);
    for (const pool of this.poolsOf(dialect, address)) {
      this.of(parseKey(pool)).allocator.seeObject(holder, text);
      this.touch(pool);
    }
  }

  private loseAddress(dialect: Dialect, address: KubeObject): void {
    const holder = holderOf(dialect.address, address);
    for (const pool of this.poolsOf(dialect, address)) {
      this.of(parseKey(pool)).allocator.loseObject(holder);
      this.tidy(pool);
      this.touch(pool);
    }
  }

  /** The pool that the address names, and those that would give its very name to an address of theirs (ipam-g5). */
  private poolsOf(dialect: Dialect, address: KubeObject): ReadonlySet<string> {
    const { name, namespace = '' } = address.metadata;
    const held = dialect.heldBy(address);
    const text = canonicalText(held?.text ?? '');
    const alike = [...this.plansIn(namespace)].filter(
      ([, { namePrefix }]) => text !== undefined && objectName(namePrefix, text) === name,
    );
    return new Set([...textKeys(address, held?.pool), ...alike.map(([key]) => key)]);
  }

  /** A claim holds what its status names, whether or not that object is there (metal-S16). */
  private seeClaim(dialect: Dialect, claim: KubeObject): void {
    const pool = poolKeyOf(dialect, claim);
    const name = dialect.boundName(claim);
    if (pool === undefined || name === undefined) return;
    const object = this.addresses(dialect).get({ ...pool, name });
    const { allocator } = this.of(pool);
    const spelled = object === undefined ? undefined : dialect.heldBy(object)?.text;
    const text = canonicalText(spelled ?? '') ?? addressOfName(allocator.plan.namePrefix, name);
    if (text !== undefined) allocator.bind(holderOf(dialect.claim, claim), text);
  }

  private loseClaim(dialect: Dialect, claim: KubeObject): void {
    const pool = poolKeyOf(dialect, claim);
    if (pool === undefined) return;
    const holder = holderOf(dialect.claim, claim);
    const { allocator, waiting } = this.of(pool);
    waiting.remove(holder);
    allocator.unbind(holder);
    this.tidy(keyText(pool));
    this.touch(keyText(pool));
  }

  private touch(pool: string): void {
    for (const listener of this.listeners) listener(parseKey(pool));
  }

  private tidy(pool: string): void {
    const book = this.books.get(pool);
    const { namespace = '' } = parseKey(pool);
    if (book?.allocator.isBlank && book.waiting.isEmpty && !this.plans.get(namespace)?.has(pool))
      this.books.delete(pool);
  }
}

/** What of a pool matters to claims that wait: any other change of it wakes none of them. */
export function standingOf(pool: IPPool | undefined): string {
  if (pool === undefined) return 'absent';
  const { uid, generation, annotations, labels } = pool.metadata;
  const paused = annotations?.[PAUSED_ANNOTATION] !== undefined;
  return JSON.stringify([uid, generation, isDeleting(pool), paused, labels?.[CLUSTER_NAME_LABEL]]);
}

/** The pool that serves a claim; undefined when it names none, or one of another namespace: those are never served. */
export function poolKeyOf(dialect: Dialect, claim: KubeObject): ObjectKey | undefined {
  const pool = dialect.poolOf(claim);
  const { namespace = '' } = claim.metadata;
  if (pool === undefined || (pool.namespace ?? namespace) !== namespace) return undefined;
  return { namespace, name: pool.name };
}

function textKeys({ metadata: { namespace = '' } }: KubeObject, name: string | undefined): readonly string[] {
  return name === undefined || name === '' ? [] : [keyText({ namespace, name })];
}

const known = new WeakMap<IpamWorld['caches'], Books>();

/** The books of this process. */
export function books(world: IpamWorld): Books {
  const before = known.get(world.caches);
  if (before !== undefined) return before;
  const fresh = new Books(world);
  known.set(world.caches, fresh);
  return fresh;
}
