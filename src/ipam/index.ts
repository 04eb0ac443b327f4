// What the address manager offers to whoever wires a fleet: its controllers, as they are ready to be started.

import type { KubeWorld } from '../kube/controller.ts';
import type { Runnable } from '../kube/run.ts';
import { addressController } from './address/controller.ts';
import { capi } from './claim/capi.ts';
import { claimController } from './claim/controller.ts';
import { metal3 } from './claim/metal3.ts';
import { poolController } from './pool/controller.ts';
import { type IpamSettings, type IpamWorld, USUAL_IPAM_SETTINGS } from './world.ts';

/** Those of Cluster API's kinds follow no kind that the others need: they can be off where these are not served. */
export function ipamControllers(settings: IpamSettings = USUAL_IPAM_SETTINGS): readonly Runnable<KubeWorld>[] {
  const controllers = [
    poolController(),
    claimController('ipam-claim', metal3),
    addressController('ipam-address', metal3),
    claimController('ipam-capi-claim', capi, [metal3]),
    addressController('ipam-capi-address', capi),
  ];
  return controllers.map(each => withSettings(each, settings));
}

function withSettings(runnable: Runnable<IpamWorld>, ipam: IpamSettings): Runnable<KubeWorld> {
  return {
    ...runnable,
    start: (world, signal) => {
      const own: IpamWorld = Object.create(world, { ipam: { value: ipam, enumerable: true } });
      return runnable.start(own, signal);
    },
  };
}
