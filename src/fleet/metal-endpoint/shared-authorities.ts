// The authorities in their Secret: read live, and written with a lock, so that replicas agree on one set.

import type { CertificateAuthority } from '../../base/keys.ts';
import type { Api } from '../../kube/api.ts';
import { Secret } from '../../kube/core/other.ts';
import { apiVersionOf } from '../../kube/kind.ts';
import type { Authorities } from './authorities.ts';
import { AUTHORITIES_SECRET } from './names.ts';

export interface Shared {
  readonly authorities: Authorities | undefined;
  /** Undefined: there is no Secret yet. */
  readonly resourceVersion: string | undefined;
}

/** A Secret without a whole authority counts as empty: another is made. */
export async function readShared(api: Api): Promise<Shared> {
  const secret = await api.find(Secret, AUTHORITIES_SECRET);
  if (secret === undefined) return { authorities: undefined, resourceVersion: undefined };
  return { authorities: authoritiesIn(secret.data ?? {}), resourceVersion: secret.metadata.resourceVersion };
}

/** Throws Conflict or AlreadyExists when another replica was first. */
export async function writeShared(api: Api, authorities: Authorities, { resourceVersion }: Shared): Promise<Shared> {
  const secret: Secret = {
    apiVersion: apiVersionOf(Secret),
    kind: Secret.kind,
    metadata: { ...AUTHORITIES_SECRET, ...(resourceVersion === undefined ? {} : { resourceVersion }) },
    type: 'Opaque',
    data: dataOf(authorities),
  };
  const written = await (resourceVersion === undefined ? api.create(Secret, secret) : api.update(Secret, secret));
  return { authorities, resourceVersion: written.metadata.resourceVersion };
}

type Data = Readonly<Record<string, string>>;

const encoded = (text: string): string => Buffer.from(text).toString('base64');

function dataOf({ signing, next, previous }: Authorities): Data {
  return {
    'signing.crt': encoded(signing.certificatePem),
    'signing.key': encoded(signing.privateKeyPem),
    ...(next === undefined
      ? {}
      : { 'next.crt': encoded(next.certificatePem), 'next.key': encoded(next.privateKeyPem) }),
    ...(previous === undefined ? {} : { 'previous.crt': encoded(previous) }),
  };
}

const decoded = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : Buffer.from(text, 'base64').toString('utf8');

function authoritiesIn(data: Data): Authorities | undefined {
  const [signing, next] = [authorityIn(data, 'signing'), authorityIn(data, 'next')];
  const previous = decoded(data['previous.crt']);
  if (signing === undefined) return undefined;
  return { signing, ...(next === undefined ? {} : { next }), ...(previous === undefined ? {} : { previous }) };
}

function authorityIn(data: Data, name: string): CertificateAuthority | undefined {
  const [certificatePem, privateKeyPem] = [decoded(data[`${name}.crt`]), decoded(data[`${name}.key`])];
  return certificatePem === undefined || privateKeyPem === undefined ? undefined : { certificatePem, privateKeyPem };
}
