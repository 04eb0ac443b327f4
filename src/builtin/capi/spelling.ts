// One meaning for the two spellings that objects may have: v1beta2's, and v1beta1's where that is what was written.

import type { MachineSpec } from '../../kinds/generated/machine.generated.ts';
import type { MachineDeploymentSpec } from '../../kinds/generated/machine-deployment.generated.ts';
import type { MachineHealthCheckSpec } from '../../kinds/generated/machine-health-check.generated.ts';
import type { MachineSetSpec } from '../../kinds/generated/machine-set.generated.ts';
import type { ProviderReference } from './provider/references.ts';

/** Limits of the steps of a Machine's deletion, in seconds; undefined means no limit. */
export interface DeletionLimits {
  readonly drainSeconds: number | undefined;
  readonly volumeDetachSeconds: number | undefined;
  readonly nodeDeletionSeconds: number | undefined;
}

const NODE_DELETION_SECONDS = 10;

export function deletionLimitsOf(spec: MachineSpec): DeletionLimits {
  const { deletion } = spec;
  const drain = deletion?.nodeDrainTimeoutSeconds ?? durationSeconds(spec.nodeDrainTimeout);
  const volumes = deletion?.nodeVolumeDetachTimeoutSeconds ?? durationSeconds(spec.nodeVolumeDetachTimeout);
  const node = deletion?.nodeDeletionTimeoutSeconds ?? durationSeconds(spec.nodeDeletionTimeout);
  return {
    drainSeconds: limit(drain),
    volumeDetachSeconds: limit(volumes),
    nodeDeletionSeconds: limit(node ?? NODE_DELETION_SECONDS),
  };
}

/** 0 is no limit. */
const limit = (seconds: number | undefined): number | undefined => (seconds === 0 ? undefined : seconds);

export type DeleteOrder = 'Random' | 'Newest' | 'Oldest';

export const deleteOrderOf = (spec: MachineSetSpec): DeleteOrder =>
  spec.deletion?.order ?? spec.deletePolicy ?? 'Random';

export interface Strategy {
  readonly type: 'RollingUpdate' | 'OnDelete';
  readonly maxSurge: number | string;
  readonly maxUnavailable: number | string;
  readonly order: DeleteOrder;
}

export function strategyOf(spec: MachineDeploymentSpec): Strategy {
  const written = spec.rollout?.strategy ?? spec.strategy;
  return {
    type: written?.type ?? 'RollingUpdate',
    maxSurge: written?.rollingUpdate?.maxSurge ?? 1,
    maxUnavailable: written?.rollingUpdate?.maxUnavailable ?? 0,
    order: spec.deletion?.order ?? written?.rollingUpdate?.deletePolicy ?? 'Random',
  };
}

export const minReadySecondsOf = (spec: {
  readonly minReadySeconds?: number;
  readonly template?: { readonly spec?: { readonly minReadySeconds?: number } };
}): number => spec.template?.spec?.minReadySeconds ?? spec.minReadySeconds ?? 0;

export interface UnhealthyCondition {
  readonly type: string;
  readonly status: string;
  readonly timeoutSeconds: number;
}

export interface HealthRules {
  readonly conditions: readonly UnhealthyCondition[];
  /** Undefined: a Node may take as long as it likes. */
  readonly startupSeconds: number | undefined;
  readonly maxUnhealthy: number | string;
  /** `[3-5]`: replaced only while as many are unhealthy. */
  readonly unhealthyRange: string | undefined;
}

const STARTUP_SECONDS = 600;

export function healthRulesOf(spec: MachineHealthCheckSpec): HealthRules {
  const older = spec.unhealthyConditions?.map(({ type, status, timeout }) => ({
    type,
    status,
    timeoutSeconds: durationSeconds(timeout) ?? 0,
  }));
  const startup = spec.checks?.nodeStartupTimeoutSeconds ?? durationSeconds(spec.nodeStartupTimeout) ?? STARTUP_SECONDS;
  return {
    conditions: spec.checks?.unhealthyNodeConditions ?? older ?? [],
    startupSeconds: limit(startup),
    maxUnhealthy: spec.remediation?.triggerIf?.unhealthyLessThanOrEqualTo ?? spec.maxUnhealthy ?? '100%',
    unhealthyRange: spec.remediation?.triggerIf?.unhealthyInRange ?? spec.unhealthyRange,
  };
}

/** From which template unhealthy machines get an object that has them repaired; undefined: their owners replace them. */
export const repairTemplateOf = ({
  remediation,
  remediationTemplate,
}: MachineHealthCheckSpec): ProviderReference | undefined => remediation?.templateRef ?? remediationTemplate;

const UNIT_SECONDS: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1, ms: 0.001 };

/** Go's notation for durations (`1h30m`, `45s`), as v1beta1 has them; undefined for anything else. */
export function durationSeconds(text: string | undefined): number | undefined {
  if (text === undefined || !/^(\d+(\.\d+)?(h|ms|m|s))+$|^0$/.test(text)) return undefined;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s)/g)];
  return parts.reduce((sum, [, number, unit]) => sum + Number(number) * (UNIT_SECONDS[unit ?? ''] ?? 0), 0);
}

/** An absolute number, or a percentage of `whole`, rounded up or down. */
export function absoluteOf(value: number | string, whole: number, round: 'up' | 'down'): number {
  const percent = /^(\d+)%$/.exec(String(value));
  if (percent === null) return Number(value) || 0;
  const exact = (whole * Number(percent[1])) / 100;
  return round === 'up' ? Math.ceil(exact) : Math.floor(exact);
}
