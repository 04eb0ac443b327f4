// Scenarios in which claims, data, leases, addresses or their pool are deleted under a machine: S9, S11 to S16.

import { minutes, seconds } from '../../../../src/base/clock.ts';
import { IPAddress } from '../../../../src/kinds/generated/ip-address.generated.ts';
import { IPClaim } from '../../../../src/kinds/generated/ip-claim.generated.ts';
import { IPPool } from '../../../../src/kinds/generated/ip-pool.generated.ts';
import { Machine } from '../../../../src/kinds/generated/machine.generated.ts';
import { Metal3Data } from '../../../../src/kinds/generated/metal3-data.generated.ts';
import { Metal3DataClaim } from '../../../../src/kinds/generated/metal3-data-claim.generated.ts';
import { IP_CLAIM_FINALIZER } from '../../../../src/kinds/metal-wire.ts';
import { apiVersionOf } from '../../../../src/kube/kind.ts';
import { isDeleting } from '../../../../src/kube/object.ts';
import { createPool, remove } from '../../../world/metal/acts.ts';
import { IPAM, METAL } from '../../../world/metal/names.ts';
import {
  at,
  everythingGoes,
  gone,
  type MetalScenario,
  type Must,
  machinesGo,
  machinesRun,
  POOL,
  ready,
  type Stage,
  stays,
  TEMPLATE,
  torn,
} from '../stage.ts';

const held = ({ view }: Stage): boolean => view.all(IPClaim).length === 1 && view.addresses().length === 1;

/** Whether the only address belongs to the only lease, by UID. */
function isOfLease({ view }: Stage): boolean {
  const [[address], [lease]] = [view.addresses(), view.all(IPClaim)];
  const owners = address?.metadata.ownerReferences ?? [];
  return owners.some(({ uid }) => uid === lease?.metadata.uid) && address?.metadata.deletionTimestamp === undefined;
}

/** Addresses and the bytes of secrets, as hosts were given them. */
const givenTo = ({ view }: Stage): string =>
  JSON.stringify([
    view.addresses().map(({ spec }) => spec?.address),
    view.renderedSecrets().map(({ metadata, data }) => [metadata.name, data]),
  ]);

/** As whoever wants an address of the pool makes it. */
const claimFor = (name: string): IPClaim => ({
  apiVersion: apiVersionOf(IPClaim),
  kind: IPClaim.kind,
  metadata: at(name),
  spec: { pool: { name: POOL } },
});

const addressOf = ({ view }: Stage, claim: string): string | undefined =>
  view.addresses().find(({ spec }) => spec?.claim?.name === claim)?.spec?.address;

/** The machine goes with its lease and address; the claim that somebody else made stays. */
async function machinesGoBut(stage: Stage, must: Must, claim: string): Promise<void> {
  await gone(stage, Machine, 'machine-0');
  await must('the machine and its lease are gone', () => {
    const { view } = stage;
    return view.machines().length === 0 && view.all(IPClaim).every(({ metadata }) => metadata.name === claim);
  });
}

export const addressScenarios: readonly MetalScenario[] = [
  {
    name: 'S9-claim-by-force',
    says: 'a Claim that was removed by force while its host runs is made again and takes up the same Data, addresses and secrets',
    async play(stage, must) {
      await machinesRun(stage, must, 1);
      const before = stage.view.claims()[0]?.metadata.uid;
      const [data] = ready(stage);
      const given = givenTo(stage);
      await torn(stage, Metal3DataClaim, 'machine-0');
      await must('the machine has another Claim with the same Data', () => {
        const [claim] = stage.view.claims();
        const isAnother = claim !== undefined && claim.metadata.uid !== before && !isDeleting(claim);
        return isAnother && claim.status?.renderedData?.name === data?.metadata.name;
      });
      await stays(stage, 'Data, address and secrets', () => {
        return stage.view.data()[0]?.metadata.uid === data?.metadata.uid && givenTo(stage) === given;
      });
      await machinesGo(stage, must, 'machine-0');
      await everythingGoes(stage);
    },
  },
  {
    name: 'S11-data-by-force',
    says: 'a Data that was removed by force: its Claim gets one of the same index, with the same address and secrets',
    async play(stage, must) {
      await machinesRun(stage, must, 1);
      const [before] = stage.view.data();
      const given = givenTo(stage);
      await torn(stage, Metal3Data, `${TEMPLATE}-0`);
      await must('the Claim has a Data of the same index', () => {
        const [data] = ready(stage);
        return data !== undefined && data.metadata.uid !== before?.metadata.uid && data.spec?.index === 0;
      });
      await must('one lease and one address are held', () => held(stage));
      await stays(stage, 'address and secrets are the same', () => givenTo(stage) === given);
      await machinesGo(stage, must, 'machine-0');
      await everythingGoes(stage);
    },
  },
  {
    name: 'S12-pool-first',
    says: 'a pool that is deleted first keeps its addresses until they are let go of',
    async play(stage, must) {
      await machinesRun(stage, must, 1);
      await remove(stage.api, IPPool, POOL);
      await stays(stage, 'pool and address', () => held(stage) && stage.view.one(IPPool, POOL) !== undefined);
      await machinesGo(stage, must, 'machine-0');
      await must('the pool is gone', () => stage.view.one(IPPool, POOL) === undefined);
      await everythingGoes(stage);
    },
  },
  {
    name: 'S12-pool-and-addresses',
    says: 'an address in use that is deleted after its pool stays until its lease is let go of',
    async play(stage, must) {
      await machinesRun(stage, must, 1);
      await remove(stage.api, IPPool, POOL);
      await gone(stage, IPAddress, ...stage.view.addresses().map(({ metadata }) => metadata.name));
      await stays(stage, 'lease and address', () => held(stage));
      await machinesGo(stage, must, 'machine-0');
      await must('the pool is gone', () => stage.view.one(IPPool, POOL) === undefined);
      await everythingGoes(stage);
    },
  },
  {
    name: 'S13-pool-by-force',
    says: 'a pool that is gone before its Data lets go holds up nothing',
    async play(stage, must) {
      await machinesRun(stage, must, 1);
      await torn(stage, IPPool, POOL);
      await must('the pool is gone', () => stage.view.one(IPPool, POOL) === undefined);
      await stays(stage, 'the Data', () => ready(stage).length === 1);
      await machinesGo(stage, must, 'machine-0');
      await everythingGoes(stage);
    },
  },
  {
    name: 'S14-no-address-manager',
    says: 'while the address manager stands still, all but addresses goes; when it starts, they go too',
    stops: true,
    async play(stage, must) {
      await machinesRun(stage, must, 1);
      stage.stop(IPAM);
      await gone(stage, Machine, 'machine-0');
      await must('machine, claim and data are gone', () => {
        const { view } = stage;
        return view.machines().length + view.claims().length + view.data().length === 0;
      });
      await stays(stage, 'the lease, which is deleted', () => held(stage) && stage.view.all(IPClaim).every(isDeleting));
      stage.start(IPAM);
      await must(
        'lease and address are gone',
        () => stage.view.all(IPClaim).length + stage.view.addresses().length === 0,
      );
      await everythingGoes(stage);
    },
  },
  {
    name: 'S15-lease-by-user',
    says: 'a lease in use that a user deletes stays, and its address with it, until the Data lets go',
    async play(stage, must) {
      await machinesRun(stage, must, 1);
      await remove(stage.api, IPClaim, `${TEMPLATE}-0-${POOL}`);
      await stays(stage, 'lease and address', () => held(stage));
      await machinesGo(stage, must, 'machine-0');
      await everythingGoes(stage);
    },
  },
  {
    name: 'S15-lease-by-force',
    says: 'a lease in use that is removed by force is made again, with the same address',
    async play(stage, must) {
      await machinesRun(stage, must, 1);
      const given = givenTo(stage);
      const before = stage.view.all(IPClaim)[0]?.metadata.uid;
      await torn(stage, IPClaim, `${TEMPLATE}-0-${POOL}`);
      await must('there is another lease, bound', () => {
        const [lease] = stage.view.all(IPClaim);
        return lease !== undefined && lease.metadata.uid !== before && lease.status?.address !== undefined;
      });
      await stays(stage, 'address and secrets are the same', () => held(stage) && givenTo(stage) === given);
      await machinesGo(stage, must, 'machine-0');
      await everythingGoes(stage);
    },
  },
  {
    name: 'S15-lease-by-force-alone',
    says: 'a lease and its pool that are removed by force while nobody looks after data: the address is nobody else\u2019s, and is held again later',
    stops: true,
    async play(stage, must) {
      await machinesRun(stage, must, 1);
      const given = givenTo(stage);
      const lease = `${TEMPLATE}-0-${POOL}`;
      stage.stop(METAL);
      await torn(stage, IPClaim, lease);
      await stage.pass(minutes(5));
      await torn(stage, IPPool, POOL);
      await stage.pass(seconds(10));
      await createPool(stage.api, POOL);
      await stage.api.create(IPClaim, claimFor('other'));
      await must('another claim gets another address', () => addressOf(stage, 'other') !== undefined);
      const other = addressOf(stage, 'other');
      if (other === addressOf(stage, lease)) throw new Error(`another claim got ${other}`);
      await remove(stage.api, IPClaim, 'other');
      stage.start(METAL);
      await must('there is a lease again, bound', () => {
        const [own] = stage.view.all(IPClaim).filter(({ metadata }) => metadata.name === lease);
        return own?.status?.address !== undefined;
      });
      // What the removed lease left behind is not it: it goes, and is made again for the one that is there now.
      await must('the address is held by that lease, and no other is held', () => held(stage) && isOfLease(stage));
      await stays(stage, 'address and secrets are the same', () => held(stage) && givenTo(stage) === given);
      await machinesGo(stage, must, 'machine-0');
      await everythingGoes(stage);
    },
  },
  {
    name: 'S15-lease-robbed',
    says: 'a lease that is robbed of its finalizer and deleted at once keeps its address, whoever else wants one, until its Data lets go',
    async play(stage, must) {
      await machinesRun(stage, must, 1);
      const lease = `${TEMPLATE}-0-${POOL}`;
      const given = addressOf(stage, lease);
      await stage.api.patch(IPClaim, at(lease), { metadata: { finalizers: [IP_CLAIM_FINALIZER] } });
      await gone(stage, IPClaim, lease);
      await stage.api.create(IPClaim, claimFor('other'));
      await must('another claim gets an address', () => addressOf(stage, 'other') !== undefined);
      await stays(stage, 'the address is its own', () => addressOf(stage, lease) === given);
      if (addressOf(stage, 'other') === given) throw new Error(`another claim got ${given}`);
      await machinesGoBut(stage, must, 'other');
      await remove(stage.api, IPClaim, 'other');
      await everythingGoes(stage);
    },
  },
  {
    name: 'S15-lease-foreground',
    says: 'a lease that a user deletes in the foreground lets its address go first, and then goes',
    async play(stage, must) {
      await machinesRun(stage, must, 1);
      await remove(stage.api, IPClaim, `${TEMPLATE}-0-${POOL}`, { propagation: 'Foreground' });
      await stays(stage, 'lease and address', () => held(stage));
      await machinesGo(stage, must, 'machine-0');
      await everythingGoes(stage);
    },
  },
  {
    name: 'S16-address-by-user',
    says: 'an address in use that a user deletes is not given to another',
    async play(stage, must) {
      await machinesRun(stage, must, 1);
      const [{ metadata, spec } = { metadata: { name: '' }, spec: undefined }] = stage.view.addresses();
      await remove(stage.api, IPAddress, metadata.name);
      await must('the address is made again', () => {
        const [address] = stage.view.addresses();
        return address !== undefined && address.metadata.uid !== metadata.uid;
      });
      await stays(stage, 'the address is the same', () => stage.view.addresses()[0]?.spec?.address === spec?.address);
      await machinesGo(stage, must, 'machine-0');
      await everythingGoes(stage);
    },
  },
];
