// Scenarios in which machines, or what was made for them, are deleted while all else stays: S1 to S3, S20, S22.

import { BareMetalHost } from '../../../../src/kinds/generated/bare-metal-host.generated.ts';
import { Machine } from '../../../../src/kinds/generated/machine.generated.ts';
import { MachineDeployment } from '../../../../src/kinds/generated/machine-deployment.generated.ts';
import { Metal3Data } from '../../../../src/kinds/generated/metal3-data.generated.ts';
import { Metal3DataClaim } from '../../../../src/kinds/generated/metal3-data-claim.generated.ts';
import { Metal3DataTemplate } from '../../../../src/kinds/generated/metal3-data-template.generated.ts';
import { Metal3Machine } from '../../../../src/kinds/generated/metal3-machine.generated.ts';
import { Metal3MachineTemplate } from '../../../../src/kinds/generated/metal3-machine-template.generated.ts';
import { Secret } from '../../../../src/kube/core/other.ts';
import { isDeleting } from '../../../../src/kube/object.ts';
import { createDeployment, createMachine, remove, scale } from '../../../world/metal/acts.ts';
import { HARDWARE } from '../../../world/metal/names.ts';
import {
  aPlainStage,
  at,
  chain,
  everythingGoes,
  gone,
  type MetalScenario,
  machinesGo,
  machinesRun,
  provisioned,
  ready,
  type Stage,
  stays,
  TEMPLATE,
  torn,
  WORK,
} from '../stage.ts';

const templateStays = ({ view }: Stage): boolean => {
  const template = view.one(Metal3DataTemplate, TEMPLATE);
  return template !== undefined && !isDeleting(template);
};

const isFree = ({ view }: Stage): boolean =>
  view.all(BareMetalHost).every(({ spec, status }) => {
    return spec?.consumerRef === undefined && status?.provisioning?.state === 'available';
  });

export const machineScenarios: readonly MetalScenario[] = [
  {
    name: 'S1-machine',
    says: 'a machine goes with all that was made for it, and its host is free; the Template stays',
    async play(stage, must) {
      await machinesRun(stage, must, 1);
      await remove(stage.api, Metal3Machine, 'machine-0');
      await must('nothing of the machine is left', () => stage.view.machines().length + chain(stage).length === 0);
      await must('the host is free', () => isFree(stage));
      await stays(stage, 'the Template', () => templateStays(stage));
      await gone(stage, Machine, 'machine-0');
      await everythingGoes(stage);
    },
  },
  {
    name: 'S1-machine-by-force',
    says: 'a machine that is removed by force while its host is emptied leaves a host that is free again',
    async play(stage, must) {
      await machinesRun(stage, must, 1);
      await gone(stage, Machine, 'machine-0');
      await must('the host is emptied', () => stage.view.stateOf('host-0') !== 'provisioned');
      await torn(stage, Metal3Machine, 'machine-0');
      await must('nothing of the machine is left', () => stage.view.machines().length + chain(stage).length === 0);
      await must('the host is free', () => isFree(stage));
      await everythingGoes(stage);
    },
  },
  {
    name: 'S1-host-untold',
    says: 'a machine whose host has power, in a state that does not tell what it runs, waits until it is off',
    stops: true,
    async play(stage, must) {
      await machinesRun(stage, must, 1);
      const is = (state: string) => ({ status: { poweredOn: true, provisioning: { state } } });
      stage.stop(HARDWARE);
      await stage.api.patch(BareMetalHost, at('host-0'), is('unmanaged'), { subresource: 'status' });
      await gone(stage, Machine, 'machine-0');
      await stays(stage, 'machine and address', () => {
        return stage.view.machines().length === 1 && stage.view.addresses().length === 1;
      });
      await stage.api.patch(BareMetalHost, at('host-0'), is('registering'), { subresource: 'status' });
      stage.start(HARDWARE);
      await machinesGo(stage, must, 'machine-0');
      await must('the host is free', () => isFree(stage));
      await everythingGoes(stage);
    },
  },
  {
    name: 'S2-claim-by-user',
    says: 'a Claim that a user deletes goes with its machine: until then the secrets stay',
    async play(stage, must) {
      await machinesRun(stage, must, 1);
      await remove(stage.api, Metal3DataClaim, 'machine-0');
      await must('its Data ends', () => stage.view.data().every(isDeleting));
      await stays(stage, 'claim and secrets', () => {
        return stage.view.claims().length === 1 && stage.view.renderedSecrets().length === 2;
      });
      await machinesGo(stage, must, 'machine-0');
      await everythingGoes(stage);
    },
  },
  {
    name: 'S3-data-by-user',
    says: 'a Data in use that a user deletes stays, with its secrets and address, until its Claim goes',
    async play(stage, must) {
      await machinesRun(stage, must, 1);
      await remove(stage.api, Metal3Data, `${TEMPLATE}-0`);
      await stays(stage, 'Data, secrets and address', () => {
        const { view } = stage;
        return view.data().length === 1 && view.renderedSecrets().length === 2 && view.addresses().length === 1;
      });
      await machinesGo(stage, must, 'machine-0');
      await everythingGoes(stage);
    },
  },
  {
    name: 'S20-in-and-out',
    says: 'half of the machines go while others come on the same Template: no index is lost or given twice',
    async play(stage, must) {
      const of = { cluster: WORK, template: TEMPLATE };
      await aPlainStage(stage, 2);
      await createDeployment(stage.api, 'one', { ...of, replicas: 2 });
      await createDeployment(stage.api, 'other', { ...of, replicas: 0 });
      await must('two machines run', () => provisioned(stage) === 2 && ready(stage).length === 2);
      await Promise.all([scale(stage.api, 'one', 1), scale(stage.api, 'other', 1)]);
      await must('one of each runs', () => {
        const names = stage.view.machines().map(({ metadata }) => metadata.name.split('-')[0]);
        return names.sort().join() === 'one,other' && provisioned(stage) === 2 && ready(stage).length === 2;
      });
      await gone(stage, MachineDeployment, 'one', 'other');
      await must('all machines are gone', () => stage.view.machines().length + chain(stage).length === 0);
      await gone(stage, Metal3MachineTemplate, 'one', 'other');
      await everythingGoes(stage);
    },
  },
  {
    name: 'S22-same-name',
    says: 'a machine that comes back under its old name waits for its old Claim to go, and gets data of its own',
    async play(stage, must) {
      await machinesRun(stage, must, 1);
      const [before] = stage.view.claims();
      const held = [...(before?.metadata.finalizers ?? []), 'example.com/held'];
      await stage.api.patch(Metal3DataClaim, at('machine-0'), { metadata: { finalizers: held } });
      await gone(stage, Machine, 'machine-0');
      await must('the machine is gone', () => stage.view.machines().length + stage.view.all(Machine).length === 0);
      await gone(stage, Secret, 'machine-0-bootstrap');
      await createMachine(stage.api, 'machine-0', { cluster: WORK, template: TEMPLATE });
      await stays(stage, 'the old Claim is not used', () => {
        return (
          provisioned(stage) === 0 && stage.view.machines().every(({ status }) => status?.renderedData === undefined)
        );
      });
      await stage.api.patch(Metal3DataClaim, at('machine-0'), { metadata: { finalizers: null } });
      await must('it has a Claim and a Data of its own', () => {
        const [claim] = stage.view.claims();
        const owner = ready(stage)[0]?.metadata.ownerReferences?.find(({ controller }) => controller === true);
        return claim !== undefined && claim.metadata.uid !== before?.metadata.uid && owner?.uid === claim.metadata.uid;
      });
      await must('it runs', () => provisioned(stage) === 1);
      await machinesGo(stage, must, 'machine-0');
      await everythingGoes(stage);
    },
  },
];
