// Tells a Mac machine from other objects where only JSON is at hand.

import type { KubeObject } from '../../src/kube/object.ts';

export const isMachineObject = (object: KubeObject): boolean => object.kind === 'ScalewayAppleSiliconMachine';
