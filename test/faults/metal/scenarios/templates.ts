// Scenarios in which the Template, or everything with it, is deleted: S4 to S8, S10, S25.

import { Cluster } from '../../../../src/kinds/generated/cluster.generated.ts';
import { IPAddress } from '../../../../src/kinds/generated/ip-address.generated.ts';
import { IPClaim } from '../../../../src/kinds/generated/ip-claim.generated.ts';
import { IPPool } from '../../../../src/kinds/generated/ip-pool.generated.ts';
import { Machine } from '../../../../src/kinds/generated/machine.generated.ts';
import { Metal3Cluster } from '../../../../src/kinds/generated/metal3-cluster.generated.ts';
import { Metal3Data } from '../../../../src/kinds/generated/metal3-data.generated.ts';
import { Metal3DataClaim } from '../../../../src/kinds/generated/metal3-data-claim.generated.ts';
import { Metal3DataTemplate } from '../../../../src/kinds/generated/metal3-data-template.generated.ts';
import { Metal3Machine } from '../../../../src/kinds/generated/metal3-machine.generated.ts';
import type { Kind } from '../../../../src/kube/kind.ts';
import { createClaim, createParkedMachine, remove } from '../../../world/metal/acts.ts';
import { METAL } from '../../../world/metal/names.ts';
import {
  aPlainStage,
  at,
  chain,
  everythingGoes,
  gone,
  type MetalScenario,
  type Must,
  machinesGo,
  machinesRun,
  POOL,
  QUIET,
  ready,
  type Stage,
  stays,
  TEMPLATE,
  torn,
  WORK,
} from '../stage.ts';

const ALL: readonly Kind[] = [
  Machine,
  Metal3Machine,
  Metal3DataClaim,
  Metal3Data,
  Metal3DataTemplate,
  IPPool,
  IPClaim,
  IPAddress,
  Metal3Cluster,
  Cluster,
];

async function allAtOnce(stage: Stage, must: Must, kinds: readonly Kind[]): Promise<void> {
  await machinesRun(stage, must, 2);
  const named = kinds.flatMap(kind => stage.view.all(kind).map(({ metadata }) => [kind, metadata.name] as const));
  await Promise.all(named.map(([kind, name]) => gone(stage, kind, name)));
}

const templateOf = ({ view }: Stage): Metal3DataTemplate | undefined => view.one(Metal3DataTemplate, TEMPLATE);

/** A machine that nothing happens to: what is left of it stays. */
async function aParkedStage(stage: Stage, must: Must): Promise<void> {
  await aPlainStage(stage, 0);
  await createParkedMachine(stage.api, 'machine-0', { cluster: WORK, template: TEMPLATE });
  await must('the Template is looked after', () => (templateOf(stage)?.metadata.finalizers ?? []).length > 0);
}

const PARKED_LEFT = ['Metal3Cluster metal/work', 'Metal3Machine metal/machine-0'];

export const templateScenarios: readonly MetalScenario[] = [
  {
    name: 'S4-template-first',
    says: 'a Template that is deleted first stays for its machines, and goes after the last of them',
    async play(stage, must) {
      await machinesRun(stage, must, 2);
      await remove(stage.api, Metal3DataTemplate, TEMPLATE);
      await stays(
        stage,
        'the Template and all data',
        () => templateOf(stage) !== undefined && ready(stage).length === 2,
      );
      await machinesGo(stage, must, 'machine-0', 'machine-1');
      await must('the Template is gone', () => templateOf(stage) === undefined);
      await everythingGoes(stage);
    },
  },
  {
    name: 'S5-template-last',
    says: 'a Template that is deleted last goes at once',
    async play(stage, must) {
      await machinesRun(stage, must, 2);
      await machinesGo(stage, must, 'machine-0', 'machine-1');
      await remove(stage.api, Metal3DataTemplate, TEMPLATE);
      await must('the Template is gone', () => templateOf(stage) === undefined);
      await everythingGoes(stage);
    },
  },
  {
    name: 'S6-all-at-once',
    says: 'objects of all kinds, deleted in the same instant, are all gone',
    play: (stage, must) => allAtOnce(stage, must, ALL),
  },
  {
    name: 'S6-all-at-once-backwards',
    says: 'objects of all kinds, deleted in the same instant from the cluster down, are all gone',
    play: (stage, must) => allAtOnce(stage, must, ALL.toReversed()),
  },
  {
    name: 'S7-claims-unrendered',
    says: 'a Template that is deleted while its Claims have no Data yet serves them, and goes after them',
    ...QUIET,
    stops: true,
    leaves: PARKED_LEFT,
    async play(stage, must) {
      await aParkedStage(stage, must);
      stage.stop(METAL);
      await createClaim(stage.api, 'machine-0', TEMPLATE);
      await remove(stage.api, Metal3DataTemplate, TEMPLATE);
      stage.start(METAL);
      await must('the Claim is served', () => ready(stage).length === 1);
      await stays(stage, 'the Template', () => templateOf(stage) !== undefined);
      await gone(stage, Metal3DataClaim, 'machine-0');
      await must(
        'Claim, Data and Template are gone',
        () => chain(stage).length === 0 && templateOf(stage) === undefined,
      );
      await gone(stage, IPPool, POOL);
    },
  },
  {
    name: 'S8-claim-before-its-note',
    says: 'a Claim that is deleted between the making of its Data and the note of it takes that Data along',
    ...QUIET,
    stops: true,
    leaves: PARKED_LEFT,
    async play(stage, must) {
      await aParkedStage(stage, must);
      await createClaim(stage.api, 'machine-0', TEMPLATE);
      await must('its Data is made', () => stage.view.data().length === 1);
      stage.crash(METAL);
      await gone(stage, Metal3DataClaim, 'machine-0');
      await must('Claim and Data are gone', () => chain(stage).length === 0);
      await gone(stage, Metal3DataTemplate, TEMPLATE);
      await gone(stage, IPPool, POOL);
    },
  },
  {
    name: 'S10-template-by-force',
    says: 'a Template that was removed by force holds up nothing: Claims and Data stay in use, and end without it',
    async play(stage, must) {
      await machinesRun(stage, must, 1);
      await torn(stage, Metal3DataTemplate, TEMPLATE);
      await stays(stage, 'Claim, Data and secrets', () => {
        return ready(stage).length === 1 && stage.view.renderedSecrets().length === 2;
      });
      await machinesGo(stage, must, 'machine-0');
      await everythingGoes(stage);
    },
  },
  {
    name: 'S25-owned-by-template',
    says: 'a Data whose controller is its Template, as earlier versions left it, ends like all others',
    ...QUIET,
    stops: true,
    leaves: PARKED_LEFT,
    async play(stage, must) {
      await aParkedStage(stage, must);
      await createClaim(stage.api, 'machine-0', TEMPLATE);
      await must('its Data is ready', () => ready(stage).length === 1);
      stage.stop(METAL);
      const [data] = ready(stage);
      const others = (data?.metadata.ownerReferences ?? []).map(each => ({ ...each, controller: false }));
      const { apiVersion, kind, metadata } = await stage.api.get(Metal3DataTemplate, at(TEMPLATE));
      const byTemplate = { apiVersion, kind, name: TEMPLATE, uid: metadata.uid, controller: true };
      const ownerReferences = [...others, byTemplate];
      await stage.api.patch(Metal3Data, at(`${TEMPLATE}-0`), { metadata: { ownerReferences } });
      await remove(stage.api, Metal3DataTemplate, TEMPLATE);
      stage.start(METAL);
      await stays(stage, 'the Data', () => ready(stage).length === 1 && templateOf(stage) !== undefined);
      await gone(stage, Metal3DataClaim, 'machine-0');
      await must(
        'Claim, Data and Template are gone',
        () => chain(stage).length === 0 && templateOf(stage) === undefined,
      );
      await gone(stage, IPPool, POOL);
    },
  },
];
