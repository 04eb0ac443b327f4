// Keeps one bare-metal host behind each Metal3Machine, from the choice of the host to its return.

import { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import { Cluster } from '../../kinds/generated/cluster.generated.ts';
import { Machine } from '../../kinds/generated/machine.generated.ts';
import { Metal3Cluster } from '../../kinds/generated/metal3-cluster.generated.ts';
import { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import { Metal3DataClaim } from '../../kinds/generated/metal3-data-claim.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { pauseRules } from '../../kinds/pause.ts';
import type { StepController } from '../../kube/controller.ts';
import type { MetalWorld } from '../world.ts';
import { association } from './association.ts';
import { dataReadiness } from './data-readiness.ts';
import { deletion } from './deletion.ts';
import { clusterOfMachine } from './machines.ts';
import { metaData } from './meta-data.ts';
import { nodeIdentity } from './node-identity.ts';
import { provisioning } from './provisioning.ts';
import { readiness } from './readiness.ts';
import { wakes, wokenBy } from './waking.ts';

export const metal3Machine: StepController<Metal3Machine, MetalWorld> = {
  name: 'metal3-machine',
  kind: Metal3Machine,
  wokenBy,
  wakes,
  reads: [Machine, Cluster, Metal3Cluster, BareMetalHost, Metal3DataClaim, Metal3Data],
  inOrder: [association, metaData, dataReadiness, provisioning, nodeIdentity],
  always: [readiness],
  deletion,
  ...pauseRules<Metal3Machine, MetalWorld>(clusterOfMachine),
  workers: 10,
};
