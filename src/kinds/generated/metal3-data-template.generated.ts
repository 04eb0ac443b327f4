// Generated from src/kinds/crds/infrastructure.cluster.x-k8s.io_metal3datatemplates.yaml by `npm run generate`. Changes made here are lost.

import { kindOf } from '../../kube/kind.ts';
import type { Condition, KubeObject } from '../../kube/object.ts';

export interface Metal3DataTemplateSpec {
  readonly clusterName?: string;
  readonly metaData?: {
    readonly dnsServersFromPool?: readonly {
      readonly apiGroup?: string;
      readonly key: string;
      readonly kind?: string;
      readonly name: string;
    }[];
    readonly fromAnnotations?: readonly {
      readonly annotation: string;
      readonly key: string;
      readonly object: 'machine' | 'metal3machine' | 'baremetalhost';
    }[];
    readonly fromHostInterfaces?: readonly {
      readonly fromBootMAC?: boolean;
      readonly interface?: string;
      readonly key: string;
    }[];
    readonly fromLabels?: readonly {
      readonly key: string;
      readonly label: string;
      readonly object: 'machine' | 'metal3machine' | 'baremetalhost';
    }[];
    readonly gatewaysFromPool?: readonly {
      readonly apiGroup?: string;
      readonly key: string;
      readonly kind?: string;
      readonly name: string;
    }[];
    readonly indexes?: readonly {
      readonly key: string;
      readonly offset?: number;
      readonly prefix?: string;
      readonly step?: number;
      readonly suffix?: string;
    }[];
    readonly ipAddressesFromPool?: readonly {
      readonly apiGroup?: string;
      readonly key: string;
      readonly kind?: string;
      readonly name: string;
    }[];
    readonly namespaces?: readonly {
      readonly key: string;
    }[];
    readonly objectNames?: readonly {
      readonly key: string;
      readonly object: 'machine' | 'metal3machine' | 'baremetalhost';
    }[];
    readonly prefixesFromPool?: readonly {
      readonly apiGroup?: string;
      readonly key: string;
      readonly kind?: string;
      readonly name: string;
    }[];
    readonly strings?: readonly {
      readonly key: string;
      readonly value: string;
    }[];
  };
  readonly networkData?: {
    readonly links?: {
      readonly bonds?: readonly {
        readonly bondLinks?: readonly string[];
        readonly bondMode: 'balance-rr' | 'active-backup' | 'balance-xor' | 'broadcast' | 'balance-tlb' | 'balance-alb' | '802.3ad';
        readonly bondXmitHashPolicy?: 'layer2' | 'layer3+4' | 'layer2+3';
        readonly id: string;
        readonly macAddress: {
          readonly fromAnnotation?: {
            readonly annotation: string;
            readonly object: 'machine' | 'metal3machine' | 'baremetalhost';
          };
          readonly fromHostInterface?: string;
          readonly string?: string;
        };
        readonly mtu?: number;
        readonly name?: string;
        readonly parameters: readonly {
          readonly name: string;
          readonly value?: unknown;
        }[];
      }[];
      readonly ethernets?: readonly {
        readonly id: string;
        readonly macAddress: {
          readonly fromAnnotation?: {
            readonly annotation: string;
            readonly object: 'machine' | 'metal3machine' | 'baremetalhost';
          };
          readonly fromHostInterface?: string;
          readonly string?: string;
        };
        readonly mtu?: number;
        readonly name?: string;
        readonly type: 'bridge' | 'dvs' | 'hw_veb' | 'hyperv' | 'ovs' | 'tap' | 'vhostuser' | 'vif' | 'phy';
      }[];
      readonly vlans?: readonly {
        readonly id: string;
        readonly macAddress: {
          readonly fromAnnotation?: {
            readonly annotation: string;
            readonly object: 'machine' | 'metal3machine' | 'baremetalhost';
          };
          readonly fromHostInterface?: string;
          readonly string?: string;
        };
        readonly mtu?: number;
        readonly name?: string;
        readonly vlanID: number;
        readonly vlanLink: string;
      }[];
    };
    readonly networks?: {
      readonly ipv4?: readonly {
        readonly fromPoolAnnotation?: {
          readonly annotation: string;
          readonly object: 'machine' | 'metal3machine' | 'baremetalhost';
        };
        readonly fromPoolRef?: {
          readonly apiGroup?: string;
          readonly kind?: string;
          readonly name: string;
        };
        readonly id: string;
        readonly ipAddressFromIPPool?: string;
        readonly link: string;
        readonly routes?: readonly {
          readonly gateway: {
            readonly fromIPPool?: string;
            readonly fromPoolAnnotation?: {
              readonly annotation: string;
              readonly object: 'machine' | 'metal3machine' | 'baremetalhost';
            };
            readonly fromPoolRef?: {
              readonly apiGroup?: string;
              readonly kind?: string;
              readonly name: string;
            };
            readonly string?: string;
          };
          readonly network: string;
          readonly prefix?: number;
          readonly services?: {
            readonly dns?: readonly string[];
            readonly dnsFromIPPool?: string;
          };
        }[];
      }[];
      readonly ipv4DHCP?: readonly {
        readonly id: string;
        readonly link: string;
        readonly routes?: readonly {
          readonly gateway: {
            readonly fromIPPool?: string;
            readonly fromPoolAnnotation?: {
              readonly annotation: string;
              readonly object: 'machine' | 'metal3machine' | 'baremetalhost';
            };
            readonly fromPoolRef?: {
              readonly apiGroup?: string;
              readonly kind?: string;
              readonly name: string;
            };
            readonly string?: string;
          };
          readonly network: string;
          readonly prefix?: number;
          readonly services?: {
            readonly dns?: readonly string[];
            readonly dnsFromIPPool?: string;
          };
        }[];
      }[];
      readonly ipv6?: readonly {
        readonly fromPoolAnnotation?: {
          readonly annotation: string;
          readonly object: 'machine' | 'metal3machine' | 'baremetalhost';
        };
        readonly fromPoolRef?: {
          readonly apiGroup?: string;
          readonly kind?: string;
          readonly name: string;
        };
        readonly id: string;
        readonly ipAddressFromIPPool?: string;
        readonly link: string;
        readonly routes?: readonly {
          readonly gateway: {
            readonly fromIPPool?: string;
            readonly fromPoolAnnotation?: {
              readonly annotation: string;
              readonly object: 'machine' | 'metal3machine' | 'baremetalhost';
            };
            readonly fromPoolRef?: {
              readonly apiGroup?: string;
              readonly kind?: string;
              readonly name: string;
            };
            readonly string?: string;
          };
          readonly network: string;
          readonly prefix?: number;
          readonly services?: {
            readonly dns?: readonly string[];
            readonly dnsFromIPPool?: string;
          };
        }[];
      }[];
      readonly ipv6DHCP?: readonly {
        readonly id: string;
        readonly link: string;
        readonly routes?: readonly {
          readonly gateway: {
            readonly fromIPPool?: string;
            readonly fromPoolAnnotation?: {
              readonly annotation: string;
              readonly object: 'machine' | 'metal3machine' | 'baremetalhost';
            };
            readonly fromPoolRef?: {
              readonly apiGroup?: string;
              readonly kind?: string;
              readonly name: string;
            };
            readonly string?: string;
          };
          readonly network: string;
          readonly prefix?: number;
          readonly services?: {
            readonly dns?: readonly string[];
            readonly dnsFromIPPool?: string;
          };
        }[];
      }[];
      readonly ipv6SLAAC?: readonly {
        readonly id: string;
        readonly link: string;
        readonly routes?: readonly {
          readonly gateway: {
            readonly fromIPPool?: string;
            readonly fromPoolAnnotation?: {
              readonly annotation: string;
              readonly object: 'machine' | 'metal3machine' | 'baremetalhost';
            };
            readonly fromPoolRef?: {
              readonly apiGroup?: string;
              readonly kind?: string;
              readonly name: string;
            };
            readonly string?: string;
          };
          readonly network: string;
          readonly prefix?: number;
          readonly services?: {
            readonly dns?: readonly string[];
            readonly dnsFromIPPool?: string;
          };
        }[];
      }[];
    };
    readonly services?: {
      readonly dns?: readonly string[];
      readonly dnsFromIPPool?: string;
    };
  };
}

export interface Metal3DataTemplateStatus {
  readonly indexes?: readonly {
    readonly index: number;
    readonly name: string;
  }[];
  readonly lastUpdated?: string;
  /** What holds of this object and what it waits for. */
  readonly conditions?: readonly Condition[];
}

/** What the metadata and network data of hosts are rendered from, each host with its own index. */
export interface Metal3DataTemplate extends KubeObject {
  readonly spec?: Metal3DataTemplateSpec;
  readonly status?: Metal3DataTemplateStatus;
}

export const Metal3DataTemplate = kindOf<Metal3DataTemplate>(
  'infrastructure.cluster.x-k8s.io/v1beta2',
  'Metal3DataTemplate',
  'metal3datatemplates',
  'Namespaced',
);
