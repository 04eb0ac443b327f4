// A model of Scaleway held by a contract test: the cloud that is looked at, and the hands behind it.

import { systemClock } from '../../src/adapters/system/clock.ts';
import type { CloudUnderTest } from '../../src/mac/cloud.contract.ts';
import type { MacCloud } from '../../src/mac/cloud.ts';
import { seededRandom } from '../time/random.ts';
import { ScalewayModel } from './model.ts';

export async function underTest(
  face: (model: ScalewayModel) => Promise<{ cloud: MacCloud; close(): Promise<void> }>,
): Promise<CloudUnderTest> {
  const model = new ScalewayModel({ clock: systemClock, random: seededRandom('contract') });
  const { cloud, close } = await face(model);
  return {
    cloud,
    order: name => model.order({ name }).id,
    discard: id => model.discard(id),
    nameOf: id => model.byId(id).name,
    wipesOf: id => model.wipesOf(id),
    passwordOf: id => model.byId(id).sudoPassword,
    nextFault: fault => model.faults.next('any', fault),
    moveKeyToOtherProject: () => {
      model.keyInOtherProject = true;
    },
    async close() {
      model.close();
      await close();
    },
  };
}
