// Generated from src/kinds/crds/metal3.io_baremetalhosts.yaml by `npm run generate`. Changes made here are lost.

import { kindOf } from '../../kube/kind.ts';
import type { KubeObject } from '../../kube/object.ts';

export interface BareMetalHostSpec {
  /** Whether it should have power. */
  readonly online?: boolean;
  readonly bootMACAddress?: string;
  readonly externallyProvisioned?: boolean;
  readonly automatedCleaningMode?: 'metadata' | 'disabled';
  readonly disablePowerOff?: boolean;
  readonly description?: string;
  readonly bmc?: {
    readonly address?: string;
    /** The Secret to log in with. */
    readonly credentialsName?: string;
  } & Readonly<Record<string, unknown>>;
  /** Who uses this host. */
  readonly consumerRef?: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly name?: string;
    readonly namespace?: string;
    readonly uid?: string;
  } & Readonly<Record<string, unknown>>;
  readonly image?: {
    readonly url: string;
    readonly checksum?: string;
    readonly checksumType?: string;
    readonly format?: string;
  } & Readonly<Record<string, unknown>>;
  readonly customDeploy?: {
    readonly method: string;
  } & Readonly<Record<string, unknown>>;
  readonly userData?: {
    readonly name?: string;
    readonly namespace?: string;
  };
  readonly metaData?: {
    readonly name?: string;
    readonly namespace?: string;
  };
  readonly networkData?: {
    readonly name?: string;
    readonly namespace?: string;
  };
}

export interface BareMetalHostStatus {
  readonly poweredOn?: boolean;
  readonly errorMessage?: string;
  readonly errorType?: string;
  readonly errorCount?: number;
  readonly operationalStatus?: string;
  readonly lastUpdated?: string;
  readonly provisioning?: {
    readonly state?: string;
    readonly ID?: string;
  } & Readonly<Record<string, unknown>>;
  readonly hardware?: {
    readonly hostname?: string;
    readonly nics?: readonly ({
      readonly name?: string;
      readonly mac?: string;
      readonly ip?: string;
    } & Readonly<Record<string, unknown>>)[];
  } & Readonly<Record<string, unknown>>;
}

/** One bare-metal host, known by its board's controller. */
export interface BareMetalHost extends KubeObject {
  readonly spec?: BareMetalHostSpec;
  readonly status?: BareMetalHostStatus;
}

export const BareMetalHost = kindOf<BareMetalHost>(
  'metal3.io/v1alpha1',
  'BareMetalHost',
  'baremetalhosts',
  'Namespaced',
);
