// Which credentials a workload cluster's kubeconfig may have: those that are in it. Programs and files are refused by name (metal-W1).

import type { Clock } from '../../base/clock.ts';
import { defineError } from '../../base/errors.ts';
import type { ClusterAccess } from '../../kube/cluster-access.ts';
import type { Secret } from '../../kube/core/other.ts';
import { reasonOf } from '../../kube/failure.ts';
import { type FileReader, kubeconfigAccess } from '../../kube/kubeconfig.ts';

/** The Secret that Cluster API keeps a workload cluster's kubeconfig in, and the key of the text. */
export const kubeconfigSecretOf = (cluster: string): string => `${cluster}-kubeconfig`;
const KUBECONFIG_KEY = 'value';

const namesFile = defineError('PIPPIN_E_WORKLOAD_KUBECONFIG_FILE', {
  retry: 'never',
  remedy: 'Put the certificates, the key or the token into the kubeconfig itself: kubectl config view --raw --flatten',
  says: (path: string) => `it names the file ${path}, and a file of this machine is nothing for a Secret to name`,
});

/** The kubeconfig's text; undefined when the Secret has none. */
export function kubeconfigIn(secret: Secret | undefined): string | undefined {
  const value = secret?.data?.[KUBECONFIG_KEY];
  return value === undefined || value === '' ? undefined : Buffer.from(value, 'base64').toString();
}

/** How to reach the cluster. `source` is how errors call the text. Throws when it asks for a program or a file, or is none. */
export function workloadAccess(text: string, source: string, clock: Clock): Promise<ClusterAccess> {
  const files: FileReader = {
    read: async path => {
      if (path === source) return text;
      throw namesFile(path);
    },
    beside: (_, path) => path,
  };
  return kubeconfigAccess(source, { files, clock });
}

/** What the condition calls a kubeconfig that cannot be used. */
export const kubeconfigReason = (error: unknown): 'KubeconfigMalformed' | 'KubeconfigRefused' =>
  reasonOf(error) === 'KubeconfigMalformed' ? 'KubeconfigMalformed' : 'KubeconfigRefused';
