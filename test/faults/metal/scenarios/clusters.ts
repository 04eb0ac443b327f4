// Scenarios in which the cluster, its hosts or its namespace go: S17 to S19, S21, S23, S24, S26.

import { seconds } from '../../../../src/base/clock.ts';
import { BareMetalHost } from '../../../../src/kinds/generated/bare-metal-host.generated.ts';
import { Cluster } from '../../../../src/kinds/generated/cluster.generated.ts';
import { IPPool } from '../../../../src/kinds/generated/ip-pool.generated.ts';
import { Machine } from '../../../../src/kinds/generated/machine.generated.ts';
import { Metal3DataTemplate } from '../../../../src/kinds/generated/metal3-data-template.generated.ts';
import { Metal3Remediation } from '../../../../src/kinds/generated/metal3-remediation.generated.ts';
import { isTrue } from '../../../../src/kube/conditions.ts';
import { Namespace } from '../../../../src/kube/core/other.ts';
import { isDeleting } from '../../../../src/kube/object.ts';
import { NODE_READY } from '../../../../src/metal/machine/node-identity.ts';
import {
  createCluster,
  createHost,
  createMachine,
  createRemediation,
  pauseCluster,
  remove,
} from '../../../world/metal/acts.ts';
import { METAL, NS } from '../../../world/metal/names.ts';
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
  provisioned,
  ready,
  type Stage,
  stays,
  TEMPLATE,
  torn,
  WORK,
} from '../stage.ts';

const SOMEBODY = { apiVersion: 'v1', kind: 'Somebody', namespace: NS, name: 'else' };

async function clusterGoes(stage: Stage, must: Must, propagation: 'Foreground' | 'Background'): Promise<void> {
  await machinesRun(stage, must, 1);
  await remove(stage.api, Cluster, WORK, { propagation });
  await must('the Cluster and its machines are gone', () => {
    return stage.view.all(Cluster).length + stage.view.machines().length + chain(stage).length === 0;
  });
  await gone(stage, Metal3DataTemplate, TEMPLATE);
  await gone(stage, IPPool, POOL);
}

export const clusterScenarios: readonly MetalScenario[] = [
  {
    name: 'S17-cluster-foreground',
    says: 'a Cluster that is deleted in the foreground takes its machines and their data along',
    play: (stage, must) => clusterGoes(stage, must, 'Foreground'),
  },
  {
    name: 'S17-cluster-background',
    says: 'a Cluster that is deleted in the background takes its machines and their data along',
    play: (stage, must) => clusterGoes(stage, must, 'Background'),
  },
  {
    name: 'S17-cluster-gone-before',
    says: 'a Cluster that is gone before its machines holds up none of them',
    async play(stage, must) {
      await machinesRun(stage, must, 1);
      await torn(stage, Cluster, WORK);
      await must('the Cluster is gone', () => stage.view.all(Cluster).length === 0);
      await machinesGo(stage, must, 'machine-0');
      await everythingGoes(stage);
    },
  },
  {
    name: 'S18-paused-amid',
    says: 'while its Cluster is paused nothing of a machine goes on; when it is resumed, all of it goes',
    async play(stage, must) {
      await machinesRun(stage, must, 1);
      await pauseCluster(stage.api, WORK, true);
      await stage.pass(1000);
      await gone(stage, Machine, 'machine-0');
      await stays(stage, 'machine, claim and data', () => {
        const { view } = stage;
        return view.machines().length === 1 && view.claims().length === 1 && ready(stage).length === 1;
      });
      await pauseCluster(stage.api, WORK, false);
      await machinesGo(stage, must, 'machine-0');
      await everythingGoes(stage);
    },
  },
  {
    name: 'S19-namespace',
    says: 'a namespace that is deleted gets empty',
    async play(stage, must) {
      await machinesRun(stage, must, 2);
      await stage.api.delete(Namespace, { name: NS });
      await must('the namespace is empty', () => stage.left().length === 0);
    },
  },
  {
    name: 'S21-shared-template',
    says: 'of two clusters that share a Template one is deleted: the other keeps its data',
    async play(stage, must) {
      await machinesRun(stage, must, 1);
      await createHost(stage.api, 'host-1');
      await createCluster(stage.api, 'other');
      await createMachine(stage.api, 'machine-1', { cluster: 'other', template: TEMPLATE });
      await must('both have data', () => ready(stage).length === 2);
      await remove(stage.api, Cluster, 'other');
      await must('one of them is gone', () => stage.view.data().length === 1 && stage.view.machines().length === 1);
      await stays(stage, 'the data of the other, and the Template', () => {
        const template = stage.view.one(Metal3DataTemplate, TEMPLATE);
        return ready(stage).length === 1 && template !== undefined && !isDeleting(template);
      });
      await machinesGo(stage, must, 'machine-0');
      await everythingGoes(stage);
    },
  },
  {
    name: 'S23-host-gone',
    says: 'a machine whose host is gone can be deleted',
    async play(stage, must) {
      await machinesRun(stage, must, 1);
      await torn(stage, BareMetalHost, 'host-0');
      await must('the host is gone', () => stage.view.host('host-0') === undefined);
      await machinesGo(stage, must, 'machine-0');
      await everythingGoes(stage);
    },
  },
  {
    name: 'S24-host-of-another',
    says: 'a machine whose host another consumer has installed anew goes, and leaves the host alone',
    async play(stage, must) {
      await machinesRun(stage, must, 1);
      const image = { url: 'http://images.example/theirs.qcow2' };
      const theirs = { image, userData: null, metaData: null, networkData: null };
      await stage.api.patch(BareMetalHost, at('host-0'), { spec: { consumerRef: SOMEBODY, ...theirs } });
      await machinesGo(stage, must, 'machine-0');
      const { consumerRef: now, image: runs } = stage.view.host('host-0')?.spec ?? {};
      if (now?.name !== 'else' || runs?.url !== image.url) throw new Error('the host of another was touched');
      await everythingGoes(stage);
    },
  },
  {
    name: 'S24-host-still-runs',
    says: 'a machine whose host names another consumer, and runs what the machine put on it, waits until that is gone',
    async play(stage, must) {
      await machinesRun(stage, must, 1);
      await stage.api.patch(BareMetalHost, at('host-0'), { spec: { consumerRef: SOMEBODY } });
      await gone(stage, Machine, 'machine-0');
      await stays(stage, 'machine and address, and the host untouched', () => {
        const { view } = stage;
        const { consumerRef, image } = view.host('host-0')?.spec ?? {};
        const isLeft = consumerRef?.name === 'else' && image !== undefined;
        return isLeft && view.machines().length === 1 && view.addresses().length === 1;
      });
      const emptied = { image: null, userData: null, metaData: null, networkData: null, online: false };
      await stage.api.patch(BareMetalHost, at('host-0'), { spec: emptied });
      await machinesGo(stage, must, 'machine-0');
      if (stage.view.host('host-0')?.spec?.consumerRef?.name !== 'else')
        throw new Error('the consumer was overwritten');
      await everythingGoes(stage);
    },
  },
  {
    name: 'S24-host-of-nobody',
    says: 'a machine whose host lost its consumer while nobody looked empties the host, and its address goes after that',
    stops: true,
    async play(stage, must) {
      await machinesRun(stage, must, 1);
      stage.stop(METAL);
      await stage.api.patch(BareMetalHost, at('host-0'), { spec: { consumerRef: null } });
      await gone(stage, Machine, 'machine-0');
      await stage.pass(seconds(5));
      stage.start(METAL);
      await machinesGo(stage, must, 'machine-0');
      const { spec, status } = stage.view.host('host-0') ?? {};
      const isFree = spec?.image === undefined && spec?.consumerRef === undefined && status?.poweredOn === false;
      if (!isFree) throw new Error('the host was left running');
      await everythingGoes(stage);
    },
  },
  {
    name: 'S26-repair-under-way',
    says: 'a repair that is under way when its Machine goes ends with it',
    async play(stage, must) {
      await stage.workloads.open(at(WORK));
      await aPlainStage(stage, 1);
      await createMachine(stage.api, 'machine-0', { cluster: WORK, template: TEMPLATE });
      await must('the machine has its Node', () => {
        return provisioned(stage) === 1 && stage.view.machines().every(each => isTrue(each, NODE_READY));
      });
      await createRemediation(stage.api, 'machine-0');
      await must('the repair is under way', () => {
        return stage.view.one(Metal3Remediation, 'machine-0')?.status?.phase === 'Running';
      });
      await machinesGo(stage, must, 'machine-0');
      await must('the repair is gone', () => stage.view.all(Metal3Remediation).length === 0);
      await everythingGoes(stage);
    },
  },
];
