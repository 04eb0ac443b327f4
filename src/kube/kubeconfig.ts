// Reads how to reach a cluster: from a kubeconfig file, or from what Kubernetes puts into a Pod.

import { parse as parseYaml } from 'yaml';
import { type Clock, seconds } from '../base/clock.ts';
import { defineError, messageOf } from '../base/errors.ts';
import type { ClusterAccess } from './cluster-access.ts';

/** Reads a text file; rejects when it cannot. Paths in a kubeconfig are relative to its folder. */
export interface FileReader {
  read(path: string): Promise<string>;
  /** `path` as seen from the folder of `file`. */
  beside(file: string, path: string): string;
}

export interface AccessOptions {
  readonly files: FileReader;
  readonly clock: Clock;
  /** The context to use, instead of the file's current one. */
  readonly context?: string;
}

const unreadable = defineError('PIPPIN_E_KUBECONFIG_UNREADABLE', {
  retry: 'never',
  remedy: 'Give --kubeconfig the path of a file that exists and that this user may read',
  says: (file: string, why: string) => `Cannot read the kubeconfig ${file}: ${why}`,
});

const malformed = defineError('PIPPIN_E_KUBECONFIG_MALFORMED', {
  retry: 'never',
  remedy: 'Compare the file with what `kubectl config view --raw` prints for a kubeconfig that works',
  says: (file: string, what: string) => `The kubeconfig ${file} ${what}`,
});

const unsupported = defineError('PIPPIN_E_KUBECONFIG_UNSUPPORTED', {
  retry: 'never',
  remedy: 'Use a kubeconfig with a client certificate, a token or a token file, as one for a service account is',
  says: (file: string, what: string) => `The kubeconfig ${file} uses ${what}, which Pippin does not run`,
});

const notInPod = defineError('PIPPIN_E_NOT_IN_A_POD', {
  retry: 'never',
  remedy: 'Give --kubeconfig, or run in a Pod with a service account',
  says: (why: string) => `No cluster to work on: ${why}`,
});

/** Kubelets renew the tokens of service accounts on disk; a token file is read again after this long. */
const TOKEN_FRESH_MS = seconds(60);

const ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

type Fields = Readonly<Record<string, unknown>>;

/** The cluster that a kubeconfig's context leads to. */
export async function kubeconfigAccess(file: string, options: AccessOptions): Promise<ClusterAccess> {
  const text = await options.files.read(file).catch((error: unknown) => {
    throw unreadable.causedBy(error, file, messageOf(error));
  });
  const config = new Kubeconfig(file, text, options);
  const { cluster, user } = config.context(options.context);
  return { ...(await config.clusterAccess(cluster)), ...(await config.userAccess(user)) };
}

/** The cluster that this program runs in as a Pod. `env` is the process's environment. */
export async function inClusterAccess(
  env: Readonly<Record<string, string | undefined>>,
  options: Pick<AccessOptions, 'files' | 'clock'>,
): Promise<ClusterAccess> {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = '443' } = env;
  if (host === undefined || host === '') throw notInPod('no kubeconfig was given and this is not a Pod');
  const token = tokenFile(`${ACCOUNT}/token`, options);
  try {
    await token();
    const caPem = await options.files.read(`${ACCOUNT}/ca.crt`);
    return { server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`, caPem, token };
  } catch (error) {
    throw notInPod.causedBy(error, `the Pod has no service account: ${messageOf(error)}`);
  }
}

class Kubeconfig {
  private readonly file: string;
  private readonly options: AccessOptions;
  private readonly fields: Fields;

  constructor(file: string, text: string, options: AccessOptions) {
    this.file = file;
    this.options = options;
    this.fields = this.parsed(text);
  }

  context(name: unknown = this.fields['current-context']): { cluster: Fields; user: Fields } {
    if (typeof name !== 'string' || name === '') throw malformed(this.file, 'has no current-context');
    const context = this.named('contexts', 'context', name);
    const user = context.user === undefined || context.user === '' ? {} : this.named('users', 'user', context.user);
    return { cluster: this.named('clusters', 'cluster', context.cluster), user };
  }

  async clusterAccess(cluster: Fields): Promise<ClusterAccess> {
    const server = text(cluster.server);
    if (server === undefined || !URL.canParse(server))
      throw malformed(this.file, 'names a cluster without a server URL');
    if (!/^https?:/.test(server)) throw malformed(this.file, `names a server that is not http or https: ${server}`);
    if (cluster['proxy-url'] !== undefined) throw unsupported(this.file, 'proxy-url');
    const caPem = await this.material(cluster, 'certificate-authority');
    const serverName = text(cluster['tls-server-name']);
    return {
      server,
      ...(caPem === undefined ? {} : { caPem }),
      ...(serverName === undefined ? {} : { serverName }),
      ...(cluster['insecure-skip-tls-verify'] === true ? { skipTlsVerify: true } : {}),
    };
  }

  async userAccess(user: Fields): Promise<Partial<ClusterAccess>> {
    for (const field of ['exec', 'auth-provider', 'username', 'as']) {
      if (user[field] !== undefined) throw unsupported(this.file, `${field} credentials`);
    }
    const clientCertificatePem = await this.material(user, 'client-certificate');
    const clientKeyPem = await this.material(user, 'client-key');
    if ((clientCertificatePem === undefined) !== (clientKeyPem === undefined)) {
      throw malformed(this.file, 'has a client certificate without its key, or a key without its certificate');
    }
    const token = await this.token(user);
    return {
      ...(clientCertificatePem === undefined ? {} : { clientCertificatePem }),
      ...(clientKeyPem === undefined ? {} : { clientKeyPem }),
      ...(token === undefined ? {} : { token }),
    };
  }

  /** As kubectl: a token file goes before a token, and is read again while the program runs. */
  private async token(user: Fields): Promise<ClusterAccess['token']> {
    const path = text(user.tokenFile);
    if (path === undefined) {
      const token = text(user.token);
      return token === undefined ? undefined : async () => token;
    }
    const read = tokenFile(this.options.files.beside(this.file, path), this.options);
    await read().catch((error: unknown) => {
      throw unreadable.causedBy(error, this.file, `its tokenFile: ${messageOf(error)}`);
    });
    return read;
  }

  /** `NAME-data` in base64 goes before the file `NAME`, as in kubectl. */
  private async material(fields: Fields, name: string): Promise<string | undefined> {
    const data = text(fields[`${name}-data`]);
    if (data !== undefined) return this.decoded(data, name);
    const path = text(fields[name]);
    if (path === undefined) return undefined;
    return this.options.files.read(this.options.files.beside(this.file, path)).catch((error: unknown) => {
      throw unreadable.causedBy(error, this.file, `its ${name}: ${messageOf(error)}`);
    });
  }

  private decoded(data: string, name: string): string {
    const pem = Buffer.from(data, 'base64').toString();
    if (!pem.includes('-----BEGIN ')) throw malformed(this.file, `has a ${name}-data that is no PEM in base64`);
    return pem;
  }

  private named(list: string, field: string, name: unknown): Fields {
    const entries = this.fields[list];
    const entry = Array.isArray(entries) ? entries.find((each: Fields | null) => each?.name === name) : undefined;
    const found: unknown = entry?.[field];
    if (!isFields(found)) throw malformed(this.file, `has no ${field} "${name}" under ${list}`);
    return found;
  }

  private parsed(text: string): Fields {
    let fields: unknown;
    try {
      fields = parseYaml(text);
    } catch (error) {
      // Only the first line of the parser's words: what follows quotes the file, and with it its secrets (safe-20).
      const [why = ''] = (error instanceof Error ? error.message : '').split('\n');
      throw malformed(this.file, `is no YAML: ${why}`);
    }
    if (!isFields(fields) || (fields.kind !== undefined && fields.kind !== 'Config')) {
      throw malformed(this.file, 'is no kubeconfig: its kind is not Config');
    }
    return fields;
  }
}

function tokenFile(path: string, { files, clock }: Pick<AccessOptions, 'files' | 'clock'>): () => Promise<string> {
  let token: { readonly value: string; readonly readMs: number } | undefined;
  return async () => {
    const nowMs = clock.monotonic();
    if (token !== undefined && nowMs - token.readMs < TOKEN_FRESH_MS) return token.value;
    const value = (await files.read(path)).trim();
    token = { value, readMs: nowMs };
    return value;
  };
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
