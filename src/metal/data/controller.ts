// Datas: rendered once for their host, kept while their Claim is there, and everything let go of when it is not.

import { quietController } from '../../deletion/quiet-controller.ts';
import { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import { CapiIPAddress } from '../../kinds/generated/capi-ip-address.generated.ts';
import { Cluster } from '../../kinds/generated/cluster.generated.ts';
import { IPAddress } from '../../kinds/generated/ip-address.generated.ts';
import { IPAddressClaim } from '../../kinds/generated/ip-address-claim.generated.ts';
import { IPClaim } from '../../kinds/generated/ip-claim.generated.ts';
import { IPPool } from '../../kinds/generated/ip-pool.generated.ts';
import { Machine } from '../../kinds/generated/machine.generated.ts';
import { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import { Metal3DataClaim } from '../../kinds/generated/metal3-data-claim.generated.ts';
import { Metal3DataTemplate } from '../../kinds/generated/metal3-data-template.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { METAL3_DATA_FINALIZER } from '../../kinds/metal-wire.ts';
import { noteDepartures } from '../../kube/departed.ts';
import { putOn } from '../../kube/finalizers.ts';
import type { Runnable } from '../../kube/run.ts';
import { dataDeletion } from './deletion.ts';
import { errorFields } from './errors.ts';
import { POOL_KINDS } from './leases.ts';
import { pauseOfData } from './pause.ts';
import { releaseLeftBehind } from './release.ts';
import { dataRendering } from './rendering.ts';
import { CLUSTER_SECRETS } from './secrets.ts';
import { dataWakers, namesLeftBehind } from './waking.ts';
import type { DataWorld } from './world.ts';

export const dataController = (): Runnable<DataWorld> =>
  quietController<Metal3Data, DataWorld>({
    name: 'metal3-data',
    kind: Metal3Data,
    condition: 'Ready',
    wokenBy: dataWakers,
    reads: [
      Metal3DataClaim,
      Metal3DataTemplate,
      Metal3Machine,
      Machine,
      Cluster,
      BareMetalHost,
      IPClaim,
      IPAddress,
      IPAddressClaim,
      CapiIPAddress,
      IPPool,
      CLUSTER_SECRETS,
    ],
    dispensable: POOL_KINDS,
    wakes: (world, wake) => {
      noteDepartures(Metal3DataClaim, world);
      noteDepartures(Metal3Data, world);
      for (const key of namesLeftBehind(world)) wake(key);
    },
    workers: 16,
    echoes: 'spared',
    pausedBy: pauseOfData,
    failing: errorFields,
    keep: async (subject, world) => {
      subject.object = await putOn(world.api, Metal3Data, subject.object, METAL3_DATA_FINALIZER);
      return dataRendering(subject, world);
    },
    takeApart: dataDeletion,
    leftBehind: releaseLeftBehind,
  });
