// What the controllers of data need of the Metal3 world: the API and the operator's settings.

import type { KubeWorld } from '../../kube/controller.ts';
import type { MetalSettings } from '../world.ts';

export interface DataWorld extends KubeWorld {
  readonly settings: Pick<MetalSettings, 'hostNamedClaims'>;
}
