// Which cluster a program works on: the one of its kubeconfig flag, or the one it is a Pod in; no other is looked for (safe-24).

import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { ClusterAccess } from '../kube/cluster-access.ts';
import { type FileReader, inClusterAccess, kubeconfigAccess } from '../kube/kubeconfig.ts';

const files: FileReader = {
  read: path => readFile(path, 'utf8'),
  beside: (file, path) => resolve(dirname(file), path),
};

export interface ClusterChoice {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
}

export function clusterAccess({ kubeconfig, context, env, clock }: ClusterChoice): Promise<ClusterAccess> {
  if (kubeconfig === undefined) return inClusterAccess(env, { files, clock });
  return kubeconfigAccess(kubeconfig, { files, clock, ...(context === undefined ? {} : { context }) });
}
