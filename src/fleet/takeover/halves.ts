// The two halves that move over, and what of a cluster each is: its definitions, its kinds, and the field managers of upstream.

import type { CustomResourceDefinition } from '../../kube/core/other.ts';
import { type Kind, kindOf } from '../../kube/kind.ts';
import { definitionsOf } from '../definitions.ts';
import { valueAt } from '../metal-endpoint/converters.ts';

export type HalfName = 'metal' | 'ipam';

interface HalfFacts {
  readonly group: string;
  /** `cluster.x-k8s.io/provider` of upstream's Pods and configurations. */
  readonly provider: string;
  readonly lease: string;
  /**
   * As upstream's programs write: one that sets no user agent is named after its binary. CAPM3's sets the word
   * `controllerName` in many versions. `manager` is not among them: half of the world's controllers are called so.
   */
  readonly fieldManagers: readonly string[];
  /** Kinds that only upstream's half writes; the others are written by both. */
  readonly telling: (plural: string) => boolean;
}

export const HALVES: Readonly<Record<HalfName, HalfFacts>> = {
  metal: {
    group: 'infrastructure.cluster.x-k8s.io',
    provider: 'infrastructure-metal3',
    lease: 'controller-leader-election-capm3',
    fieldManagers: ['controllerName', 'cluster-api-provider-metal3-manager'],
    telling: () => true,
  },
  ipam: {
    group: 'ipam.metal3.io',
    provider: 'ipam-metal3',
    lease: 'controller-leader-election-ipam-capm3',
    fieldManagers: ['ip-address-manager'],
    // Claims are made and let go by CAPM3 too.
    telling: plural => plural !== 'ipclaims',
  },
};

const groupOf = ({ spec }: CustomResourceDefinition): string => String(valueAt(spec, 'group'));

/** Ours, as they are to be on the cluster. */
export const definitionsOfHalf = (half: HalfName): readonly CustomResourceDefinition[] =>
  definitionsOf(['metal']).filter(each => groupOf(each) === HALVES[half].group);

export interface DefinedVersion {
  readonly name: string;
  readonly storage: boolean;
  readonly served: boolean;
}

export const versionsOf = ({ spec }: CustomResourceDefinition): readonly DefinedVersion[] =>
  (valueAt(spec, 'versions') ?? []) as readonly DefinedVersion[];

/** In the version in which the definition stores. */
export function storedKindOf(definition: CustomResourceDefinition): Kind {
  const version = versionsOf(definition).find(({ storage }) => storage)?.name;
  const [kind, plural] = ['kind', 'plural'].map(name => String(valueAt(definition.spec, 'names', name)));
  return kindOf(`${groupOf(definition)}/${version}`, kind ?? '', plural ?? '', 'Namespaced');
}
