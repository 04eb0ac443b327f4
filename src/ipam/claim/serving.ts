// Serves one claim: it has an address, is given one, or is told why not and what would help.

import { minutes, seconds } from '../../base/clock.ts';
import { held, type Subject, soon, unsaid } from '../../deletion/quiet-controller.ts';
import { IPPool } from '../../kinds/generated/ip-pool.generated.ts';
import { REQUESTED_ADDRESS_ANNOTATION } from '../../kinds/metal-wire.ts';
import { refTo } from '../../kube/api.ts';
import { asExpected } from '../../kube/conditions.ts';
import { putOn } from '../../kube/finalizers.ts';
import { annotationOf, isDeleting, type KubeObject, keyOf, type ObjectKey } from '../../kube/object.ts';
import { done, type Outcome, type Wait } from '../../kube/outcome.ts';
import type { Said } from '../../kube/standing.ts';
import { addressAsked, claimed, isLost } from '../address/lost-claim.ts';
import { type Book, books, poolKeyOf, standingOf } from '../allocation/books.ts';
import type { Given, NotYet, Refused } from '../allocation/choice.ts';
import { unreadKinds } from '../allocation/known.ts';
import { prefixFault } from '../allocation/name-prefix.ts';
import type { IpamWorld } from '../world.ts';
import { type Dialect, holderOf, type Standing } from './dialect.ts';
import { makeAddress } from './making.ts';
import { chosenOf, ownAddresses } from './own-addresses.ts';

export type Wake = (key: ObjectKey) => void;

interface Serving {
  readonly dialect: Dialect;
  readonly claim: KubeObject;
  readonly key: ObjectKey;
  readonly book: Book;
  readonly world: IpamWorld;
  readonly wake: Wake;
}

/** After so many names in a row that are another's, the others get their turn first. */
const MOST_TRIES = 20;
const AGAIN_MS = seconds(1);
const RECHECK_TAKEN_MS = seconds(10);
const RECHECK_MS = minutes(1);

export async function serveClaim(
  dialect: Dialect,
  subject: Subject<KubeObject>,
  world: IpamWorld,
  wake: Wake,
): Promise<Outcome> {
  const key = poolKeyOf(dialect, subject.object);
  if (key === undefined) return nobodyServes(dialect, subject.object);
  // Stored before the address exists, so that no address is left behind by a claim that goes (ipam-g3).
  subject.object = await putOn(world.api, dialect.claim, subject.object, dialect.claimFinalizer);
  const claim = subject.object;
  const known = books(world);
  const serving = { dialect, claim, key, book: known.of(key), world, wake };
  const address = chosenOf(dialect, claim, ownAddresses(dialect, claim, known));
  if (address === undefined) {
    const requested = annotationOf(claim, REQUESTED_ADDRESS_ANNOTATION) ?? '';
    const asked = { text: requested, pool: key.name };
    const lost = requested === '' ? undefined : addressAsked(dialect, claim, asked, world);
    if (lost === undefined || !(await isLost(dialect, lost, world))) return allocate(serving);
    return bound(serving, (await claimed(dialect, claim, lost, world)).metadata.name);
  }
  if (isDeleting(address)) return untilMadeAgain(serving, address);
  return bound(serving, address.metadata.name);
}

/** Its status names the address before the object goes: that keeps it from all others, after a restart too. */
function untilMadeAgain({ dialect, claim }: Serving, address: KubeObject): Wait {
  const status = dialect.statusOf(claim, { kind: 'bound', name: address.metadata.name });
  const wait = soon(refTo(dialect.address, address), 'its address to go: it is made again then');
  return { ...wait, change: { status } };
}

/** Pools of other namespaces are never looked at (ipam-g12): the claim can only be made anew. */
function nobodyServes(dialect: Dialect, claim: KubeObject): Outcome {
  const pool = dialect.poolOf(claim);
  const message =
    pool === undefined
      ? 'spec.pool names no pool'
      : `spec.pool.namespace is "${pool.namespace}": a claim is served from pools of its own namespace alone`;
  const said: Said = { type: 'Ready', status: 'False', reason: 'PoolOutOfReach', message };
  return { ...unsaid(refTo(dialect.claim, claim), 'a pool within reach', minutes(10)), change: { conditions: [said] } };
}

async function allocate(serving: Serving): Promise<Outcome> {
  const { dialect, claim, key, world } = serving;
  const pool = world.caches.of(IPPool).get(key);
  if (pool === undefined) return waiting(serving, pool, `IPPool ${key.name} to be there`);
  const useless = uselessness(pool);
  if (useless !== undefined) return waiting(serving, pool, `another IPPool ${key.name}: ${useless}`);
  const unread = await unreadKinds(world);
  if (unread.length > 0) return waiting(serving, pool, `${unread.join(' and ')} to be read`, AGAIN_MS);
  const taken = new Set<string>();
  while (taken.size < MOST_TRIES) {
    // What went while its pass was at work must hold nothing: nobody would let go of it.
    if (world.caches.of(dialect.claim).get(keyOf(claim))?.metadata.uid !== claim.metadata.uid) return done();
    const choice = give(serving);
    if (choice.kind !== 'given') return untilFreed(serving, pool, choice);
    // It may have no other: the one that is pre-allocated to it, or that it asks for.
    if (taken.has(choice.text))
      return waiting(serving, pool, `${choice.text}, whose name another has`, RECHECK_TAKEN_MS);
    const made = await makeAddress(choice, { dialect, claim, pool, allocator: serving.book.allocator }, world);
    if (made !== 'taken') return bound(serving, made.name);
    taken.add(choice.text);
  }
  return waiting(serving, pool, 'the names of its addresses: objects of others have them', AGAIN_MS);
}

/** Why this very pool gives out nothing, whatever comes. */
const uselessness = (pool: IPPool): string | undefined =>
  isDeleting(pool) ? 'this one is being deleted' : prefixFault(pool);

function give({ dialect, claim, book }: Serving): Given | Refused | NotYet {
  return book.allocator.give({
    claim: claim.metadata.name,
    holder: holderOf(dialect.claim, claim),
    requested: annotationOf(claim, REQUESTED_ADDRESS_ANNOTATION),
  });
}

function bound({ dialect, claim, book }: Serving, name: string): Outcome {
  book.waiting.remove(holderOf(dialect.claim, claim));
  return done({ status: dialect.statusOf(claim, { kind: 'bound', name }), conditions: [asExpected('Ready')] });
}

/** Not final, whatever it says: an address that is freed, or a pool that changes, wakes the claim (ipam-g1). */
function untilFreed(serving: Serving, pool: IPPool, choice: Refused | NotYet): Outcome {
  if (choice.kind === 'not yet') return waiting(serving, pool, choice.what, untilWarm(serving), choice.awaits);
  const { dialect, claim } = serving;
  const { message, detail, reason, awaits } = choice;
  register(serving, pool, awaits);
  // An address that is freed ends it: a wait, which readers of `errorMessage` would take as final.
  const isWait = reason === 'PoolExhausted' || awaits !== undefined;
  const standing: Standing = isWait ? { kind: 'waiting' } : { kind: 'refused', message };
  const said: Said = {
    type: 'Ready',
    status: 'False',
    reason,
    message: detail === undefined ? message : `${message}: ${detail}`,
  };
  return {
    ...unsaid(refTo(IPPool, pool), 'an address of the pool', untilWarm(serving)),
    change: { status: dialect.statusOf(claim, standing), conditions: [said] },
  };
}

const untilWarm = ({ book }: Serving): number => Math.min(RECHECK_MS, book.allocator.untilWarm() ?? RECHECK_MS);

function waiting(
  serving: Serving,
  pool: IPPool | undefined,
  what: string,
  ...[recheckMs = RECHECK_MS, awaits]: [recheckMs?: number, awaits?: string]
): Wait {
  const { dialect, claim, key } = serving;
  register(serving, pool, awaits);
  const on = pool === undefined ? { kind: IPPool, ...key } : refTo(IPPool, pool);
  const status = dialect.statusOf(claim, { kind: 'waiting' });
  return { ...held(on, 'PoolNotReady', what), recheckMs, change: { status } };
}

function register({ dialect, claim, book, wake }: Serving, pool: IPPool | undefined, awaits: string | undefined): void {
  const key = keyOf(claim);
  book.waiting.add(holderOf(dialect.claim, claim), {
    kind: claim.kind,
    key,
    seen: standingOf(pool),
    awaits,
    wake: () => wake(key),
  });
}
