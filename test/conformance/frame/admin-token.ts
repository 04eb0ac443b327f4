// The administrator's token out of a kubeconfig file.

import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

export function adminTokenOf(kubeconfigFile: string): string {
  const { users } = parse(readFileSync(kubeconfigFile, 'utf8')) as { users: { user: { token?: string } }[] };
  const token = users[0]?.user.token;
  if (token === undefined) throw new Error(`${kubeconfigFile} has no token`);
  return token;
}
