// A node's writes, and what NodeRestriction says of them: for the tests of this folder.

import type { Attributes, Json, JsonObject } from '../parts.ts';
import { nodeRestriction } from './node-restriction.ts';
import type { AdmissionCall, Admitted } from './operation.ts';
import { asking, StoredObjects } from './stored.testing.ts';

const mac0 = { name: 'system:node:mac-0', groups: ['system:nodes'] };
export const resource: AdmissionCall['resource'] = {
  group: '',
  version: 'v1',
  kind: 'Any',
  listKind: 'AnyList',
  plural: 'any',
  singular: 'any',
  namespaced: true,
  shortNames: [],
  categories: [],
  subresources: [],
  verbs: [],
  storageName: 'any',
  schema: {},
  origin: 'builtin',
};

export const pod = (name: string, nodeName: string, more: JsonObject = {}): JsonObject => ({
  kind: 'Pod',
  metadata: { namespace: 'ci', name, uid: `${name}-uid` },
  spec: { nodeName },
  ...more,
});

const wanting = (audience: string): JsonObject => ({
  volumes: [{ projected: { sources: [{ serviceAccountToken: { audience } }] } }],
});

const stored = new StoredObjects()
  .put('pods', pod('own', 'mac-0', { spec: { nodeName: 'mac-0', ...wanting('runners') } }), pod('foreign', 'mac-1'))
  .put('nodes', { kind: 'Node', metadata: { name: 'mac-0', uid: 'node-uid' } });

export const admit = nodeRestriction({
  stored,
  authorize: attributes =>
    attributes.verb === 'request-serviceaccounts-token-audience' && attributes.resource === 'granted'
      ? { allowed: true }
      : { allowed: false, reason: '' },
  requests: {
    readRequest: pem => (pem === 'nonsense' ? undefined : { ...emptyRequest, commonName: pem }),
  },
});

const emptyRequest = {
  organizations: [],
  dnsNames: [],
  ipAddresses: [],
  emailAddresses: [],
  uris: [],
  publicKeyPem: '',
  isSelfSigned: true,
};

export interface Write {
  readonly where?: Partial<Attributes>;
  readonly object?: JsonObject;
  readonly old?: JsonObject;
}

export function write(verb: string, what: string, { where, object, old }: Write): Admitted {
  return admit({ attributes: asking(mac0, verb, what, where), resource, object, old, dryRun: false });
}

export const refusal = (admitted: Admitted): string =>
  'refused' in admitted ? `${admitted.refused.code} ${admitted.refused.message}` : 'admitted';

export const node = (more: JsonObject, labels: JsonObject = {}): JsonObject => ({
  kind: 'Node',
  metadata: { name: 'mac-0', labels },
  ...more,
});
export const lease = (name: string): JsonObject => ({ metadata: { namespace: 'kube-node-lease', name } });
export const csr = (commonName: string, signer: string): JsonObject => ({
  metadata: { name: 'csr' },
  spec: { signerName: `kubernetes.io/${signer}`, request: Buffer.from(commonName).toString('base64') },
});
export const token = (ref: Json, ...audiences: readonly string[]): JsonObject => ({
  spec: { boundObjectRef: ref, audiences: [...audiences] },
});
export const ownPod = { apiVersion: 'v1', kind: 'Pod', name: 'own', uid: 'own-uid' };

export const selfOwner = { apiVersion: 'v1', kind: 'Node', name: 'mac-0', uid: 'node-uid', controller: true };
export function mirror(owner: Json = selfOwner, spec: JsonObject = {}): JsonObject {
  return {
    metadata: {
      name: 'static',
      annotations: { 'kubernetes.io/config.mirror': 'x' },
      ownerReferences: owner === null ? [] : [owner],
    },
    spec: { nodeName: 'mac-0', ...spec },
  };
}

export const inCi = (name: string): Partial<Attributes> => ({ namespace: 'ci', name });
export const leases = 'leases.coordination.k8s.io';
export const csrs = 'certificatesigningrequests.certificates.k8s.io';
export const inLeases = (name: string): Partial<Attributes> => ({ namespace: 'kube-node-lease', name });

/** Rows of a table: what the node does, with which verb and resource, and for a refusal the answer. */
export type Pass = readonly [what: string, verb: string, resource: string, write: Write];
export type Refused = readonly [...Pass, message: string];
