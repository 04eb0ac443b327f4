// The kubeconfig that an agent starts with: how to reach the API, and as whom.

/** Whom the API is to see: a certificate with its key, or a service account's token. */
export type AgentCredential =
  | { readonly kind: 'certificate'; readonly certificatePem: string; readonly privateKeyPem: string }
  | { readonly kind: 'token'; readonly token: string };

export interface KubeconfigParts {
  readonly server: string;
  readonly caPem: string;
  readonly user: string;
  readonly credential: AgentCredential;
}

/** JSON, which is YAML: nothing in it can be misread. */
export function kubeconfigText({ server, caPem, user, credential }: KubeconfigParts): string {
  const cluster = { server, 'certificate-authority-data': base64(caPem) };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'fleet', cluster }],
    users: [{ name: user, user: userFields(credential) }],
    contexts: [{ name: 'fleet', context: { cluster: 'fleet', user } }],
    'current-context': 'fleet',
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}

function userFields(credential: AgentCredential): Record<string, string> {
  if (credential.kind === 'token') return { token: credential.token };
  return {
    'client-certificate-data': base64(credential.certificatePem),
    'client-key-data': base64(credential.privateKeyPem),
  };
}

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');
