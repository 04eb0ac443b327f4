// What a machine's host is told to run: written once, when the host runs nothing and everything for it is known.

import { defineError } from '../../base/errors.ts';
import { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import type { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { isBeingMoved } from '../../kinds/pause.ts';
import { refTo } from '../../kube/api.ts';
import type { Step } from '../../kube/controller.ts';
import type { Fields } from '../../kube/merge-patch.ts';
import { done, type Outcome, wait } from '../../kube/outcome.ts';
import { hasSystem, isProvisioned, stateOf, whyStuck } from '../host/state.ts';
import { missingIn, writeHost } from '../host/write.ts';
import type { MetalWorld } from '../world.ts';
import { isProvisionedMachine } from './machines.ts';
import { isWait, reservedHost } from './own-host.ts';
import { RECHECK_MS } from './surroundings.ts';

const nothingToRun = defineError('PIPPIN_E_METAL_NOTHING_TO_RUN', {
  retry: 'never',
  remedy: 'Give the machine an image or a method of deployment, in its template',
  says: () => 'spec.image.url and spec.customDeploy: both are missing, so there is nothing that the host could run',
});

export const PROVISIONED = 'BareMetalHostProvisioned';

export const provisioning: Step<Metal3Machine, MetalWorld> = {
  condition: PROVISIONED,
  async run(machine, world) {
    const host = reservedHost(machine, world);
    if (isWait(host)) return host;
    if (isBeingMoved(host)) return moving(host);
    const change = missingIn(host, { spec: wantedOf(host, machine) });
    if (change !== undefined) await writeHost(host, change, world);
    return isProvisioned(host) || isProvisionedMachine(machine) ? done() : unprovisioned(host);
  },
};

/** Power and cleaning are kept as they are to be; what a host runs is never exchanged. */
function wantedOf(host: BareMetalHost, machine: Metal3Machine): Fields {
  const { automatedCleaningMode } = machine.spec ?? {};
  return {
    ...(automatedCleaningMode === undefined ? {} : { automatedCleaningMode }),
    ...(hasSystem(host) ? {} : systemOf(machine)),
    online: true,
  };
}

function systemOf({ spec, status }: Metal3Machine): Fields {
  const { image, customDeploy } = spec ?? {};
  if ((image?.url ?? '') === '' && customDeploy === undefined) throw nothingToRun();
  return {
    ...(image === undefined ? {} : { image: imageOf(image) }),
    ...(customDeploy === undefined ? {} : { customDeploy: { method: customDeploy.method } }),
    ...ref('userData', status?.userData),
    ...ref('metaData', status?.metaData),
    ...ref('networkData', status?.networkData),
  };
}

type Image = NonNullable<NonNullable<Metal3Machine['spec']>['image']>;

/** A host calls the format `format`. */
const imageOf = ({ url, checksum = '', checksumType, diskFormat }: Image): Fields => ({
  url,
  ...(checksum === '' ? {} : { checksum }),
  ...(checksumType === undefined ? {} : { checksumType }),
  ...(diskFormat === undefined ? {} : { format: diskFormat }),
});

const ref = (field: string, secret: Fields | undefined): Fields =>
  secret === undefined ? {} : { [field]: { name: secret.name, namespace: secret.namespace } };

/** Nothing is written to what clusterctl takes away (metal-7.13). */
function moving(host: BareMetalHost): Outcome {
  const what = `clusterctl to take BareMetalHost ${host.metadata.name} to its new cluster`;
  return wait(refTo(BareMetalHost, host), what, RECHECK_MS);
}

function unprovisioned(host: BareMetalHost): Outcome {
  const { name } = host.metadata;
  const what = `BareMetalHost ${name} to be provisioned, now ${stateOf(host) || 'without a state'}${whyStuck(host)}`;
  return wait(refTo(BareMetalHost, host), what, RECHECK_MS, { reason: 'Provisioning' });
}
