// The agent's metrics: upstream's names, labels and buckets, so that dashboards live on; and our own count of cold starts.

import type { Counter, Gauge, Histogram, Metrics } from '../base/metrics.ts';
import { RUNNER_POOL_LABEL } from '../kinds/wire.ts';
import type { Pod } from '../kube/core/pod.ts';
import { labelOf } from '../kube/object.ts';

const PROVISION_BUCKETS = [1, 5, 10, 20, 30, 60, 120, 180, 300, 600, 1200, 1800, 3600];

export interface AgentMetrics {
  /** Run start to first address, once per start. */
  readonly boot: Histogram;
  /** Pod creation to run start, once. */
  readonly provisionDelay: Histogram;
  /** Base and clone work on the host, warm or cold. */
  readonly provisionWork: Histogram;
  readonly materialized: Counter;
  readonly reused: Counter;
  /** Why bases were built: first-sight, tag-moved, half-built, base-lost. */
  readonly coldStarts: Counter;
  readonly guestDisk: Gauge;
}

export function agentMetrics(metrics: Metrics): AgentMetrics {
  const labels = ['pool'];
  return {
    boot: metrics.histogram({
      name: 'tart_kubelet_vm_boot_duration_seconds',
      help: 'From the start of a VM to its first address',
      labels,
      buckets: [10, 20, 30, 45, 60, 90, 120, 180, 240, 300, 600],
    }),
    provisionDelay: metrics.histogram({
      name: 'tart_kubelet_pod_provision_delay_seconds',
      help: 'From the creation of a Pod to the first start of its VM',
      labels,
      buckets: PROVISION_BUCKETS,
    }),
    provisionWork: metrics.histogram({
      name: 'tart_kubelet_vm_provision_work_seconds',
      help: 'Work on the host for a VM: its base and its clone',
      labels: ['pool', 'path'],
      buckets: PROVISION_BUCKETS,
    }),
    materialized: metrics.counter({
      name: 'tart_kubelet_golden_base_materialized_total',
      help: 'VMs for which the golden base had to be built',
      labels,
    }),
    reused: metrics.counter({
      name: 'tart_kubelet_golden_base_reused_total',
      help: 'VMs whose golden base was there',
      labels,
    }),
    coldStarts: metrics.counter({
      name: 'pippin_agent_cold_starts_total',
      help: 'Golden bases that were built, by reason',
      labels: ['pool', 'reason'],
    }),
    guestDisk: metrics.gauge({
      name: 'tart_kubelet_guest_disk_usage_percent',
      help: "How full a guest's root volume is",
      labels: ['vm'],
    }),
  };
}

export const poolOf = (pod: Pod): string => labelOf(pod, RUNNER_POOL_LABEL) ?? 'unknown';
