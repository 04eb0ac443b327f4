// Whether Scaleway lets this key in: asked once at a start, so that a wrong key is one clear error and not a slow fleet.

import { Applesiliconv1alpha1 } from '@scaleway/sdk-applesilicon';
import { cloudRefused } from '../../mac/cloud.ts';
import { type ScalewayAccess, scalewayClient } from './client.ts';
import { whyUnclear, writeFailure } from './failures.ts';

/** Throws `cloudRefused` when the key is refused; answers why when Scaleway gives no clear answer now. */
export async function probeScaleway(access: ScalewayAccess, zone: string): Promise<'let in' | { unclear: string }> {
  const apple = new Applesiliconv1alpha1.API(scalewayClient(access));
  try {
    await apple.listServers({
      zone: zone as Applesiliconv1alpha1.Server['zone'],
      projectId: access.projectId,
      pageSize: 1,
    });
    return 'let in';
  } catch (error) {
    const failure = writeFailure(`Listing the Macs of project ${access.projectId} in ${zone}`, error);
    if (cloudRefused.is(failure)) throw failure;
    return { unclear: whyUnclear(error) };
  }
}
