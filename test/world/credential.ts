// What an agent of the virtual fleet has to show: the certificate or the token of the kubeconfig that it was given.

import type { CredentialStore, NodeCredential } from '../../src/agent/certificate.ts';
import { accountIdentity } from '../../src/fleet/manifests.ts';
import type { Identity } from '../../src/kube/transport.ts';
import { NS, TOKEN_OF } from './names.ts';

interface Kubeconfig {
  readonly users: readonly [{ readonly name: string; readonly user: Readonly<Record<string, string>> }];
}

export interface Credential {
  /** Whom the API sees: the Node of the certificate, or the account whose token it is. */
  readonly identity: Identity;
  /** Kept in memory; absent for an account. */
  readonly store?: CredentialStore;
}

export function credentialOf(kubeconfig: string): Credential {
  const [{ name, user }] = (JSON.parse(kubeconfig) as Kubeconfig).users;
  const { token } = user;
  if (token !== undefined) return { identity: accountIdentity(NS, token.slice(TOKEN_OF.length)) };
  const pem = (field: string): string => Buffer.from(user[field] ?? '', 'base64').toString('utf8');
  let current: NodeCredential = {
    certificatePem: pem('client-certificate-data'),
    privateKeyPem: pem('client-key-data'),
  };
  const store: CredentialStore = {
    current: () => Promise.resolve(current),
    replace: async credential => {
      current = credential;
    },
  };
  return { identity: { name, groups: ['system:nodes', 'system:authenticated'] }, store };
}
