// Generated from src/kinds/crds/infrastructure.cluster.x-k8s.io_metal3machinetemplates.yaml by `npm run generate`. Changes made here are lost.

import { kindOf } from '../../kube/kind.ts';
import type { KubeObject } from '../../kube/object.ts';

export interface Metal3MachineTemplateSpec {
  readonly nodeReuse?: boolean;
  readonly template: {
    readonly metadata?: {
      readonly annotations?: Readonly<Record<string, string>>;
      readonly labels?: Readonly<Record<string, string>>;
    };
    readonly spec: {
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
    };
  };
}

/** What Metal3Machines are made from. */
export interface Metal3MachineTemplate extends KubeObject {
  readonly spec: Metal3MachineTemplateSpec;
}

export const Metal3MachineTemplate = kindOf<Metal3MachineTemplate>(
  'infrastructure.cluster.x-k8s.io/v1beta2',
  'Metal3MachineTemplate',
  'metal3machinetemplates',
  'Namespaced',
);
