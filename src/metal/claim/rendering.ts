// A Claim that is kept gets one Data of its own: its trouble is its own, and holds up no other (metal-G8).

import { held, type Subject, soon } from '../../deletion/quiet-controller.ts';
import { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import { Metal3DataClaim } from '../../kinds/generated/metal3-data-claim.generated.ts';
import { Metal3DataTemplate } from '../../kinds/generated/metal3-data-template.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { METAL3_DATA_CLAIM_FINALIZER, METAL3_DATA_TEMPLATE_FINALIZER } from '../../kinds/metal-wire.ts';
import { isBeingMoved } from '../../kinds/pause.ts';
import { type Ref, refTo } from '../../kube/api.ts';
import type { KubeWorld } from '../../kube/controller.ts';
import { letGo, putOn } from '../../kube/finalizers.ts';
import { hasFinalizer, isDeleting, keyOf } from '../../kube/object.ts';
import { done, type Outcome, type Wait } from '../../kube/outcome.ts';
import { indexBook } from '../template/index-book.ts';
import { machineOwnerOf } from './claims.ts';
import { createData } from './create-data.ts';
import { isServing, isSpent, ownDatas, promoteClaim, renderedNameOf } from './own-datas.ts';
import { takenUp } from './stranded-data.ts';

export async function rendering(subject: Subject<Metal3DataClaim>, world: KubeWorld): Promise<Outcome> {
  const claim = subject.object;
  indexBook(world).settle(keyOf(claim));
  const own = ownDatas(claim, world).filter(data => isServing(data, claim));
  const [first, ...rest] = own;
  if (first === undefined) {
    const standing = await takenUp(claim, world);
    if (standing !== undefined) return rendered(standing);
  }
  if (first === undefined || isSpent(first)) return renderAnew(subject, own, world);
  await promoteClaim(first, claim, world);
  await letAllGo(rest, world);
  return rendered(first);
}

const rendered = ({ metadata: { name, namespace = '' } }: Metal3Data): Outcome =>
  done({ status: { renderedData: { name, namespace }, errorMessage: null } });

/** A Claim has one Data; what a stale cache or a crash once made beside it goes (metal-G11). */
async function letAllGo(datas: readonly Metal3Data[], world: KubeWorld): Promise<void> {
  for (const data of datas) {
    if (!isBeingMoved(data)) await letGo(world.api, Metal3Data, data, METAL3_DATA_CLAIM_FINALIZER);
  }
}

async function renderAnew(
  subject: Subject<Metal3DataClaim>,
  spent: readonly Metal3Data[],
  world: KubeWorld,
): Promise<Outcome> {
  const lost = spent.length > 0 ? undefined : await lostData(subject.object, world);
  if (lost instanceof Object) return rendered(lost);
  const ready = readyToRender(subject.object, world);
  if ('kind' in ready) return ready;
  // Before there is anything to protect (metal-b, metal-G7).
  subject.object = await putOn(world.api, Metal3DataClaim, subject.object, METAL3_DATA_CLAIM_FINALIZER);
  const data = await createData({ ...ready, claim: subject.object, ...before(lost, ready.template) }, world);
  if (data === undefined) return soon(refTo(Metal3DataTemplate, ready.template), 'a free name for its Metal3Data');
  await letAllGo(spent, world);
  return rendered(data);
}

/** A Claim that is made again knows nothing of its Data yet: its machine does. */
function nameNotedByMachine(claim: Metal3DataClaim, { caches }: KubeWorld): string | undefined {
  const owner = machineOwnerOf(claim);
  const machine = caches.of(Metal3Machine).get({ namespace: claim.metadata.namespace ?? '', name: owner?.name ?? '' });
  return machine?.metadata.uid === owner?.uid ? machine?.status?.renderedData?.name : undefined;
}

/** A Data that the Claim names and the cache does not have: what the API says of it. Its name, when it is gone. */
async function lostData(claim: Metal3DataClaim, world: KubeWorld): Promise<Metal3Data | string | undefined> {
  const name = renderedNameOf(claim) ?? nameNotedByMachine(claim, world);
  if (name === undefined) return undefined;
  const { namespace = '' } = claim.metadata;
  const live = await world.api.find(Metal3Data, { namespace, name });
  return live !== undefined && isServing(live, claim) ? live : name;
}

/** The index that a Data had whose name is known: under the same name it finds its leases, and the host keeps its addresses. */
function before(lost: string | undefined, template: Metal3DataTemplate): { readonly before?: number } {
  const prefix = `${template.metadata.name}-`;
  const index = lost?.startsWith(prefix) ? Number(lost.slice(prefix.length)) : Number.NaN;
  return Number.isInteger(index) ? { before: index } : {};
}

type Ready = Pick<Parameters<typeof createData>[0], 'template' | 'machine'>;

/** A Template that is being deleted still serves: its machines were promised their data (metal-S7). */
function readyToRender(claim: Metal3DataClaim, { caches }: KubeWorld): Ready | Wait {
  const { namespace = '' } = claim.metadata;
  const name = claim.spec?.template?.name ?? '';
  if (name === '') return held(refTo(Metal3DataClaim, claim), 'NoTemplate', 'spec.template to name a Template');
  const machine = machineOwnerOf(claim);
  if (machine === undefined) {
    return held(refTo(Metal3DataClaim, claim), 'NoMetal3Machine', 'a Metal3Machine among its owners');
  }
  const on: Ref = { kind: Metal3DataTemplate, namespace, name };
  const template = caches.of(Metal3DataTemplate).get(on);
  if (template === undefined) return held(on, 'TemplateMissing', `Metal3DataTemplate ${name}`);
  if (isBeingMoved(template)) return held(on, 'TemplateMoves', `Metal3DataTemplate ${name} to have been moved`);
  const isProtected = isDeleting(template) || hasFinalizer(template, METAL3_DATA_TEMPLATE_FINALIZER);
  return isProtected ? { template, machine } : soon(on, `Metal3DataTemplate ${name} to be looked after`);
}
