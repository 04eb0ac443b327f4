// What the Metal3 provider offers to whoever wires a fleet: its controllers, as they are ready to be started.

import { quietController } from '../deletion/quiet-controller.ts';
import { controller, keyController, type Runnable } from '../kube/run.ts';
import { dataClaimController } from './claim/controller.ts';
import { metal3Cluster } from './cluster/controller.ts';
import { dataController } from './data/controller.ts';
import { metal3LabelSync } from './label-sync/controller.ts';
import { metal3Machine } from './machine/controller.ts';
import { hostPause } from './machine/host-pause.ts';
import { orphanClaims } from './machine/orphan-claims.ts';
import { orphanHosts } from './machine/orphan-hosts.ts';
import { metal3MachineTemplate } from './machine-template/controller.ts';
import { metal3Remediation } from './remediation/controller.ts';
import { metal3RemediationOrphans } from './remediation/orphans.ts';
import { metal3RemediationTemplate } from './remediation/template.ts';
import { dataTemplateController } from './template/controller.ts';
import type { MetalWorld } from './world.ts';

export function metalControllers(): readonly Runnable<MetalWorld>[] {
  return [
    controller(metal3Cluster),
    keyController(metal3MachineTemplate),
    keyController(metal3LabelSync),
    quietController(metal3Remediation),
    keyController(metal3RemediationOrphans),
    keyController(metal3RemediationTemplate),
    dataTemplateController(),
    dataClaimController(),
    dataController(),
    controller(metal3Machine),
    keyController(hostPause),
    keyController(orphanClaims),
    keyController(orphanHosts),
  ];
}
