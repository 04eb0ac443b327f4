// Where the real control plane's binaries live: outside the tree, by version, so that a second run costs nothing.

import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export const KUBE_VERSION = 'v1.36.0';
const ETCD_VERSION = 'v3.6.8';

export interface Binary {
  readonly name: string;
  readonly package: string;
}

/** What is built, in this order: the ones that tests cannot do without come first. */
export const BINARIES: readonly Binary[] = [
  { name: 'etcd', package: 'go.etcd.io/etcd/server/v3' },
  { name: 'kube-apiserver', package: 'k8s.io/kubernetes/cmd/kube-apiserver' },
  { name: 'kube-controller-manager', package: 'k8s.io/kubernetes/cmd/kube-controller-manager' },
  { name: 'kubectl', package: 'k8s.io/kubernetes/cmd/kubectl' },
  { name: 'kube-scheduler', package: 'k8s.io/kubernetes/cmd/kube-scheduler' },
];

/** The folder of this version's binaries; it need not exist. */
export function binaryFolder(): string {
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  return join(cache, 'pippin', 'kube', `${KUBE_VERSION}-etcd-${ETCD_VERSION}`);
}

/** The path of one binary, whether it is there or not. */
export const binaryPath = (name: string): string => join(binaryFolder(), name);

export const isBuilt = (name: string): boolean => existsSync(binaryPath(name));
