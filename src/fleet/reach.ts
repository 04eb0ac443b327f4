// How a program reaches workload clusters: through those that another has open, or with clients of its own.

import { type WorkloadSeams, workloadClusters } from '../metal/workload/clusters.ts';
import type { WorkloadClusters } from '../metal/workload/port.ts';

/** Whoever opens them closes them; two programs in one process are to share one client and one watch (metal-W2). */
export type Reach =
  | { readonly workload: WorkloadClusters; readonly dial?: undefined }
  | { readonly workload?: undefined; readonly dial: WorkloadSeams['dial'] };

/** Runs with what is open, or with what is opened for this run and closed after it. */
export async function reaching(
  { workload, dial }: Reach,
  world: Omit<WorkloadSeams, 'dial'>,
  run: (workload: WorkloadClusters) => Promise<void>,
): Promise<void> {
  if (workload !== undefined) return run(workload);
  const own = workloadClusters({ ...world, dial });
  return run(own).finally(() => own.close());
}
