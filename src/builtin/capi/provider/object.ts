// What Cluster API core reads of a provider's object, by the contract that the provider keeps.

import type { Condition, KubeObject } from '../../../kube/object.ts';
import type { Contract } from './references.ts';

export interface MachineAddress {
  readonly type: string;
  readonly address: string;
}

/** The fields that the contracts name; everything else passes through. */
export interface ProviderObject extends KubeObject {
  readonly spec?: {
    readonly providerID?: string;
    readonly failureDomain?: string;
    readonly controlPlaneEndpoint?: { readonly host?: string; readonly port?: number };
    readonly template?: {
      readonly metadata?: {
        readonly labels?: Readonly<Record<string, string>>;
        readonly annotations?: Readonly<Record<string, string>>;
      };
      readonly spec?: unknown;
    };
  };
  readonly status?: {
    readonly ready?: boolean;
    readonly initialized?: boolean;
    readonly externalManagedControlPlane?: boolean;
    readonly initialization?: {
      readonly provisioned?: boolean;
      readonly dataSecretCreated?: boolean;
      readonly controlPlaneInitialized?: boolean;
    };
    readonly dataSecretName?: string;
    readonly addresses?: readonly MachineAddress[];
    readonly failureDomain?: string;
    readonly failureReason?: string;
    readonly failureMessage?: string;
    readonly conditions?: readonly Condition[];
  };
}

/** v1beta2 says `status.initialization.provisioned`, v1beta1 `status.ready`. */
export function isProvisioned({ status }: ProviderObject, contract: Contract): boolean {
  return (contract === 'v1beta2' ? status?.initialization?.provisioned : status?.ready) === true;
}

export function hasBootstrapData({ status }: ProviderObject, contract: Contract): boolean {
  return (contract === 'v1beta2' ? status?.initialization?.dataSecretCreated : status?.ready) === true;
}

export function isControlPlaneInitialized({ status }: ProviderObject, contract: Contract): boolean {
  return (contract === 'v1beta2' ? status?.initialization?.controlPlaneInitialized : status?.initialized) === true;
}

/** What the object itself says is in the way, to be shown where it is waited for; empty when it says nothing. */
export function excuseOf({ status }: ProviderObject): string {
  if (status?.failureMessage !== undefined) return `: ${status.failureReason ?? 'Failed'}: ${status.failureMessage}`;
  const conditions = status?.conditions ?? [];
  const bad = conditions.find(({ type, status: held }) => type === 'Ready' && held !== 'True');
  const first = bad ?? conditions.find(({ status: held }) => held === 'False');
  if (first === undefined) return '';
  return `: ${first.reason ?? first.type}${first.message === undefined || first.message === '' ? '' : `: ${first.message}`}`;
}
