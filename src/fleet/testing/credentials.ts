// How an identity of a test proves itself to the API over a port: by a client certificate, or by a token.

import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { realKeys } from '../../adapters/keys/index.ts';
import { systemClock } from '../../adapters/system/clock.ts';
import { systemRandom } from '../../adapters/system/random.ts';
import type { StaticToken } from '../../apiserver/auth/index.ts';
import { minutes } from '../../base/clock.ts';
import type { CertificateAuthority } from '../../base/keys.ts';
import type { Identity } from '../../kube/transport.ts';
import { base64, kubeconfigOf, newToken, privateFile } from '../api-files.ts';
import { notServed, optionInvalid } from './errors.ts';
import type { KubeconfigOptions } from './types.ts';

const DAY_MS = minutes(24 * 60);

export class Credentials {
  readonly #authority: CertificateAuthority;
  /** The API looks here for each request. */
  readonly #tokens: StaticToken[];
  #url: string | undefined;
  #folder: Promise<string> | undefined;
  #files = 0;

  constructor(authority: CertificateAuthority, tokens: StaticToken[]) {
    this.#authority = authority;
    this.#tokens = tokens;
  }

  /** From now on there is a port. */
  servedAt(url: string): void {
    this.#url = url;
  }

  /** Throws where there is no port. */
  url(what: string): string {
    if (this.#url === undefined) throw notServed(what);
    return this.#url;
  }

  /** The same token for the same identity. */
  tokenOf({ name, groups }: Identity): string {
    const known = this.#tokens.find(entry => entry.user === name && sameTexts(entry.groups, groups));
    if (known !== undefined) return known.token;
    const token = newToken(systemRandom);
    this.#tokens.push({ token, user: name, groups });
    return token;
  }

  async kubeconfig(identity: Identity, { credential = 'certificate' }: KubeconfigOptions = {}): Promise<string> {
    const url = this.url('api.kubeconfig');
    if (credential !== 'certificate' && credential !== 'token') {
      throw optionInvalid('credential', "'certificate' or 'token'", credential);
    }
    const fields = credential === 'token' ? { token: this.tokenOf(identity) } : await this.#certificate(identity);
    return kubeconfigOf(url, this.#authority.certificatePem, { name: identity.name, fields });
  }

  async kubeconfigFile(identity: Identity, options?: KubeconfigOptions): Promise<string> {
    const text = await this.kubeconfig(identity, options);
    this.#folder ??= mkdtemp(join(tmpdir(), 'pippin-testing-'));
    this.#files += 1;
    const file = join(await this.#folder, `${this.#files}.kubeconfig`);
    privateFile(file, text);
    return file;
  }

  async close(): Promise<void> {
    const folder = await this.#folder;
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }

  async #certificate({ name, groups }: Identity): Promise<Readonly<Record<string, string>>> {
    const pair = await realKeys.pair();
    const certificatePem = await realKeys.certify(this.#authority, pair.publicKeyPem, {
      commonName: name,
      organizations: groups,
      notBefore: systemClock.now() - minutes(5),
      notAfter: systemClock.now() + DAY_MS,
      usages: ['client'],
    });
    return { 'client-certificate-data': base64(certificatePem), 'client-key-data': base64(pair.privateKeyPem) };
  }
}

const sameTexts = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every(text => other.includes(text));
