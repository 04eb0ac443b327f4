// The eight orders in which claims, data, template and pool were deleted where upstream was measured.

import assert from 'node:assert/strict';
import { minutes, seconds } from '../../../src/base/clock.ts';
import { IPPool } from '../../../src/kinds/generated/ip-pool.generated.ts';
import { Metal3Data } from '../../../src/kinds/generated/metal3-data.generated.ts';
import { Metal3DataClaim } from '../../../src/kinds/generated/metal3-data-claim.generated.ts';
import { Metal3DataTemplate } from '../../../src/kinds/generated/metal3-data-template.generated.ts';
import type { Kind } from '../../../src/kube/kind.ts';
import type { Stage } from '../../faults/metal/stage.ts';
import { type Scenario, secondsText } from '../telling/scenario.ts';
import {
  claimName,
  dataNames,
  isEmptyAfter,
  keepingTemplate,
  left,
  must,
  on,
  POOL,
  removeAll,
  rendered,
  TEMPLATE,
} from './stage.ts';

/** What is allowed from the last delete to nothing left. */
const ALLOWED_MS = seconds(3);

interface Order {
  readonly id: string;
  /** The order of the deletes, and what upstream's v1.8.1 and v1.13.2 were seen to do with it. */
  readonly name: string;
  readonly upstream: string;
  readonly claims: number;
  readonly keeps?: readonly Kind[];
  play(fleet: Stage): Promise<void>;
}

const claims = (count: number): readonly [Kind, readonly string[]] => [
  Metal3DataClaim,
  Array.from({ length: count }, (_, number) => claimName(number)),
];
const claim = (number: number): readonly [Kind, readonly string[]] => [Metal3DataClaim, [claimName(number)]];
const template: readonly [Kind, readonly string[]] = [Metal3DataTemplate, [TEMPLATE]];

export const orders: readonly Order[] = [
  {
    id: 's1',
    name: 'the Template; 2 s later its only Claim',
    upstream: 'Data and address left for good; 32.1 s',
    claims: 1,
    async play(fleet) {
      await removeAll(fleet, template);
      await fleet.pass(seconds(2));
      await removeAll(fleet, claims(1));
    },
  },
  {
    id: 's2',
    name: 'the Template; 2 s later five Claims, one per second',
    upstream: 'Template stuck for 1,367 s; 36.2 s',
    claims: 5,
    async play(fleet) {
      await removeAll(fleet, template);
      await fleet.pass(seconds(1));
      for (let number = 0; number < 5; number++) {
        await fleet.pass(seconds(1));
        await removeAll(fleet, claim(number));
      }
    },
  },
  {
    id: 's3',
    name: 'five Claims at once; half a second later the Template',
    upstream: 'Template stuck with all five indexes; 30.6 s',
    claims: 5,
    async play(fleet) {
      await removeAll(fleet, claims(5));
      await fleet.pass(500);
      await removeAll(fleet, template);
    },
  },
  {
    id: 's4',
    name: 'the Template and five Claims in the same instant',
    upstream: 'five Datas and addresses left for good; 30.3 s',
    claims: 5,
    play: fleet => removeAll(fleet, template, claims(5)),
  },
  {
    id: 's5',
    name: 'five Datas; a second later the Template and the Claims',
    upstream: 'Template stuck for 1,364 s; 61.6 s',
    claims: 5,
    async play(fleet) {
      await removeAll(fleet, [Metal3Data, dataNames(fleet)]);
      await fleet.pass(seconds(1));
      await removeAll(fleet, template, claims(5));
    },
  },
  {
    id: 's6',
    name: 'ten Claims, ten Datas, the Template and the pool in the same instant',
    upstream: 'ten Datas, their addresses and the pool left for good; 30 or 60 s',
    claims: 10,
    play: fleet => removeAll(fleet, claims(10), [Metal3Data, dataNames(fleet)], template, [IPPool, [POOL]]),
  },
  {
    id: 's7',
    name: 'four Claims, one per second, the fifth with the Template',
    upstream: 'Template stuck for 1,366 s; 64.2 s',
    claims: 5,
    async play(fleet) {
      for (let number = 0; number < 4; number++) {
        await removeAll(fleet, claim(number));
        await fleet.pass(seconds(1));
      }
      await removeAll(fleet, claim(4), template);
    },
  },
  {
    id: 's8',
    name: 'five Claims at once, the Template kept',
    upstream: '2.0 s by luck, else stuck; 0.9 s by luck, else 30 s more',
    claims: 5,
    keeps: keepingTemplate,
    play: fleet => removeAll(fleet, claims(5)),
  },
];

export const eightOrders: readonly Scenario[] = orders.map(order => ({
  name: `${order.id}: ${order.name}`,
  run: async () =>
    on(await rendered(order.claims), async fleet => {
      await order.play(fleet);
      const tookMs = await must(fleet, 'nothing is left', () => isEmptyAfter(fleet, order), ALLOWED_MS);
      await fleet.pass(minutes(2));
      assert.deepEqual(left(fleet, order.keeps), [], 'nothing comes back');
      return `empty ${secondsText(tookMs)} after the last delete (upstream v1.8.1: ${order.upstream} with v1.13.2)`;
    }),
}));
