// Templates: who holds which index, for readers, and that a Template stays until nothing names it any more.

import { minutes, seconds } from '../../base/clock.ts';
import { held, quietController, type Subject, unsaid } from '../../deletion/quiet-controller.ts';
import { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import { Metal3DataClaim } from '../../kinds/generated/metal3-data-claim.generated.ts';
import { Metal3DataTemplate } from '../../kinds/generated/metal3-data-template.generated.ts';
import { METAL3_DATA_TEMPLATE_FINALIZER } from '../../kinds/metal-wire.ts';
import { pausedBy } from '../../kinds/pause.ts';
import { type Ref, refTo } from '../../kube/api.ts';
import { changedInSpec } from '../../kube/besides-status.ts';
import type { KubeWorld } from '../../kube/controller.ts';
import { putOn, takeOff } from '../../kube/finalizers.ts';
import { hasFinalizer, type KubeObject, keyOf, type ObjectKey } from '../../kube/object.ts';
import { type Done, done, type Outcome } from '../../kube/outcome.ts';
import { forgetLooks, untilNextLook } from '../../kube/pace.ts';
import type { Runnable } from '../../kube/run.ts';
import { claimsOfTemplate } from '../claim/claims.ts';
import { indexBook } from './index-book.ts';
import { listedIndexes } from './listed-indexes.ts';

/** What was read live is told by its watch in a moment. */
const UNSEEN_RECHECK_MS = seconds(1);

type Subjects = Subject<Metal3DataTemplate>;

/** Both waits of upstream's were polls (metal-G1): here every Claim and Data that goes wakes its Template. */
export const dataTemplateController = (): Runnable<KubeWorld> =>
  quietController<Metal3DataTemplate, KubeWorld>({
    name: 'metal3-data-template',
    kind: Metal3DataTemplate,
    condition: 'Ready',
    wokenBy: [
      { kind: Metal3DataClaim, keysFor: templateOf, matters: changedInSpec },
      { kind: Metal3Data, keysFor: templateOf, matters: changedInSpec },
    ],
    reads: [Metal3DataClaim, Metal3Data],
    wakes: world => {
      indexBook(world);
    },
    echoes: 'spared',
    pausedBy: template => pausedBy(template, undefined),
    keep,
    takeApart,
  });

interface NamesTemplate extends KubeObject {
  readonly spec?: { readonly template?: { readonly name?: string } };
}

function templateOf({ metadata: { namespace = '' }, spec }: NamesTemplate): readonly ObjectKey[] {
  const name = spec?.template?.name ?? '';
  return name === '' ? [] : [{ namespace, name }];
}

async function keep(subject: Subjects, world: KubeWorld): Promise<Outcome> {
  subject.object = await putOn(world.api, Metal3DataTemplate, subject.object, METAL3_DATA_TEMPLATE_FINALIZER);
  return listed(subject.object, world);
}

/** The status, looked at no more than once a second (metal-7.19). */
function listed(template: Metal3DataTemplate, world: KubeWorld): Done {
  const againMs = untilNextLook(template.metadata.uid ?? '', world);
  if (againMs > 0) return done(undefined, againMs);
  return done(listedIndexes(template, indexBook(world), world.clock.now()), minutes(10));
}

async function letGo(template: Metal3DataTemplate, world: KubeWorld): Promise<Outcome> {
  const unseen = await namingLive(template, world);
  if (unseen !== undefined) return unsaid(unseen, `${unseen.kind.kind}s that name it`, UNSEEN_RECHECK_MS);
  await takeOff(world.api, Metal3DataTemplate, template, METAL3_DATA_TEMPLATE_FINALIZER);
  forgetLooks(template.metadata.uid ?? '', world);
  return done();
}

/**
 * The caches of several kinds run apart: a Claim that was made before the Template was deleted may come after that news.
 * So both are read once more before the Template goes: Claims first, since a Claim goes after its Data has come.
 */
async function namingLive(template: Metal3DataTemplate, { api }: KubeWorld): Promise<Ref | undefined> {
  const { namespace = '', name } = template.metadata;
  for (const kind of [Metal3DataClaim, Metal3Data]) {
    const { items } = await api.list<NamesTemplate>(kind, { namespace });
    const one = items.find(({ spec }) => spec?.template?.name === name);
    if (one !== undefined) return refTo(kind, one);
  }
  return undefined;
}

/** Those that are being deleted count too (metal-e, metal-G5): the Template goes last, whatever fails before it. */
async function takeApart({ object }: Subjects, world: KubeWorld): Promise<Outcome> {
  if (!hasFinalizer(object, METAL3_DATA_TEMPLATE_FINALIZER)) return done();
  const datas = indexBook(world).countOf(keyOf(object));
  const [data] = indexBook(world).datasOf(keyOf(object));
  const [claim] = data === undefined ? claimsOfTemplate(keyOf(object), world) : [];
  if (data === undefined && claim === undefined) return letGo(object, world);
  const on = data !== undefined ? refTo(Metal3Data, data) : refTo(Metal3DataClaim, claim ?? object);
  const what = data !== undefined ? `${datas} Metal3Data that name it` : 'Metal3DataClaims that name it';
  const status = listed(object, world);
  if (status.recheckMs !== undefined && status.recheckMs < minutes(1)) return unsaid(on, what, status.recheckMs);
  const wait = held(on, 'InUse', `${what}, among them ${on.name}, to go`);
  return status.change === undefined ? wait : { ...wait, change: status.change };
}
