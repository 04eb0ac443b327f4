// Generated from src/kinds/crds/infrastructure.cluster.x-k8s.io_metal3machines.yaml by `npm run generate`. Changes made here are lost.

import { kindOf } from '../../kube/kind.ts';
import type { Condition, KubeObject } from '../../kube/object.ts';

export interface Metal3MachineSpec {
  readonly automatedCleaningMode?: 'metadata' | 'disabled';
  readonly customDeploy?: {
    readonly method: string;
  };
  readonly dataTemplate?: {
    readonly name?: string;
    readonly namespace?: string;
  };
  readonly failureDomain?: string;
  readonly hostSelector?: {
    readonly matchExpressions?: readonly {
      readonly key: string;
      readonly operator: string;
      readonly values: readonly string[];
    }[];
    readonly matchLabels?: Readonly<Record<string, string>>;
  };
  readonly image?: {
    readonly checksum?: string;
    readonly checksumType?: 'md5' | 'sha256' | 'sha512';
    readonly diskFormat?: 'raw' | 'qcow2' | 'vdi' | 'vmdk' | 'live-iso';
    readonly url: string;
  };
  readonly metaData?: {
    readonly name?: string;
    readonly namespace?: string;
  };
  readonly networkData?: {
    readonly name?: string;
    readonly namespace?: string;
  };
  readonly providerID?: string;
  readonly userData?: {
    readonly name?: string;
    readonly namespace?: string;
  };
}

export interface Metal3MachineStatus {
  readonly addresses?: readonly {
    readonly address: string;
    readonly type: 'Hostname' | 'ExternalIP' | 'InternalIP' | 'ExternalDNS' | 'InternalDNS';
  }[];
  readonly conditions?: readonly Condition[];
  readonly deprecated?: {
    readonly v1beta1?: {
      readonly conditions?: readonly Condition[];
      readonly failureMessage?: string;
      readonly failureReason?: string;
    };
  };
  readonly initialization?: {
    readonly provisioned?: boolean;
  };
  readonly lastUpdated?: string;
  readonly metaData?: {
    readonly name?: string;
    readonly namespace?: string;
  };
  readonly networkData?: {
    readonly name?: string;
    readonly namespace?: string;
  };
  readonly renderedData?: {
    readonly name?: string;
    readonly namespace?: string;
  };
  readonly userData?: {
    readonly name?: string;
    readonly namespace?: string;
  };
}

/** A Machine on a bare-metal host. */
export interface Metal3Machine extends KubeObject {
  readonly spec?: Metal3MachineSpec;
  readonly status?: Metal3MachineStatus;
}

export const Metal3Machine = kindOf<Metal3Machine>(
  'infrastructure.cluster.x-k8s.io/v1beta2',
  'Metal3Machine',
  'metal3machines',
  'Namespaced',
);
