// NodeRestriction: narrows what a node writes to itself: its own Node, Lease, Pods and certificate (safe-18).

import { isDeepStrictEqual } from 'node:util';
import type { RequestReader } from '../../base/keys.ts';
import type { Admission, Authorizer, Stored } from '../parts.ts';
import { requestPemOf } from './csr-request.ts';
import { listAt, textAt, textMapAt } from './fields.ts';
import { forbiddenLabelChanges } from './node-labels.ts';
import { NODE_USER_PREFIX, nodeNameOf } from './node-name.ts';
import { admitNodesEviction, admitNodesPod, admitNodesPodStatus } from './node-restriction-pods.ts';
import { admitNodesToken } from './node-restriction-tokens.ts';
import { type AdmissionCall, type Admitted, admitUnless, operationOf, requestedName, unchanged } from './operation.ts';
import { quoted, refusedByAdmission } from './refusal.ts';

/** What the checks read. */
export interface RestrictionWorld {
  readonly stored: Stored;
  readonly authorize: Authorizer;
  readonly requests: RequestReader;
}

/** One write of one node. */
export interface NodeWrite {
  readonly node: string;
  readonly call: AdmissionCall;
  readonly world: RestrictionWorld;
}

/** Leaves everybody alone who is no node. */
export function nodeRestriction(world: RestrictionWorld): Admission {
  return call => {
    const { attributes, object } = call;
    const node = nodeNameOf(attributes.identity);
    if (node === undefined) return unchanged(object);
    if (node === '') {
      return admitUnless(call, `could not determine node from user ${quoted(attributes.identity.name)}`);
    }
    const check = CHECKS[`${attributes.group}/${attributes.resource}`];
    return check === undefined ? unchanged(object) : check({ node, call, world });
  };
}

const CHECKS: Readonly<Record<string, (write: NodeWrite) => Admitted>> = {
  '/pods': admitPods,
  '/nodes': write => admitUnless(write.call, againstNode(write)),
  '/serviceaccounts': admitNodesToken,
  '/persistentvolumeclaims': write => admitUnless(write.call, againstClaim(write)),
  'coordination.k8s.io/leases': write => admitUnless(write.call, againstLease(write)),
  'storage.k8s.io/csinodes': write => admitUnless(write.call, againstCsiNode(write)),
  'certificates.k8s.io/certificatesigningrequests': write => admitUnless(write.call, againstRequest(write)),
};

function admitPods(write: NodeWrite): Admitted {
  const { attributes, object } = write.call;
  switch (attributes.subresource) {
    case '':
      return admitNodesPod(write);
    case 'status':
      return admitUnless(write.call, admitNodesPodStatus(write));
    case 'eviction':
      return admitNodesEviction(write);
    default: {
      const why = `unexpected pod subresource ${quoted(attributes.subresource)}, only 'status' and 'eviction' are allowed`;
      return { refused: refusedByAdmission(attributes, object, why) };
    }
  }
}

function againstNode(write: NodeWrite): string | undefined {
  const { node, call } = write;
  const name = requestedName(call);
  if (name !== node) return `node ${quoted(node)} is not allowed to modify node ${quoted(name)}`;
  switch (operationOf(call)) {
    case 'CREATE':
      return againstRegistration(write);
    case 'UPDATE':
      return againstNodeUpdate(write);
    default:
      return undefined;
  }
}

function againstRegistration({ node, call }: NodeWrite): string | undefined {
  const labels = forbiddenLabelChanges(textMapAt(call.object, 'metadata', 'labels'), {});
  if (labels.length === 0) return undefined;
  return `node ${quoted(node)} is not allowed to set the following labels: ${labels.join(', ')}`;
}

/** Taints, owners and steering labels decide what runs where: not the node's to change. */
function againstNodeUpdate({ node, call }: NodeWrite): string | undefined {
  const { object, old } = call;
  if (!isDeepStrictEqual(listAt(object, 'spec', 'taints'), listAt(old, 'spec', 'taints'))) {
    return `node ${quoted(node)} is not allowed to modify taints`;
  }
  if (!isDeepStrictEqual(listAt(object, 'metadata', 'ownerReferences'), listAt(old, 'metadata', 'ownerReferences'))) {
    return `node ${quoted(node)} is not allowed to modify ownerReferences`;
  }
  const labels = forbiddenLabelChanges(textMapAt(object, 'metadata', 'labels'), textMapAt(old, 'metadata', 'labels'));
  return labels.length === 0 ? undefined : `is not allowed to modify labels: ${labels.join(', ')}`;
}

function againstLease({ node, call }: NodeWrite): string | undefined {
  if (call.attributes.namespace !== 'kube-node-lease') {
    return 'can only access leases in the "kube-node-lease" system namespace';
  }
  if (requestedName(call) === node) return undefined;
  return 'can only access node lease with the same name as the requesting node';
}

function againstCsiNode({ node, call }: NodeWrite): string | undefined {
  if (requestedName(call) === node) return undefined;
  return 'can only access CSINode with the same name as the requesting node';
}

/** Claims bear the state of volumes, which no Mac has: their status may change in these two fields only. */
function againstClaim({ node, call }: NodeWrite): string | undefined {
  if (call.attributes.subresource !== 'status') return 'may only update PVC status';
  const rest = (claim: AdmissionCall['object']): unknown => {
    const { metadata, status } = claim ?? {};
    const { resourceVersion: _version, managedFields: _fields, ...meta } = asRecord(metadata);
    const { capacity: _capacity, conditions: _conditions, ...other } = asRecord(status);
    return { ...claim, metadata: meta, status: other };
  };
  if (isDeepStrictEqual(rest(call.object), rest(call.old))) return undefined;
  return `node ${quoted(node)} is not allowed to update fields other than status.capacity and status.conditions`;
}

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

const NODE_SIGNERS = ['kubernetes.io/kubelet-serving', 'kubernetes.io/kube-apiserver-client-kubelet'];

/** A node asks for certificates in its own name only. */
function againstRequest({ node, call, world }: NodeWrite): string | undefined {
  if (operationOf(call) !== 'CREATE' || !NODE_SIGNERS.includes(textAt(call.object, 'spec', 'signerName'))) {
    return undefined;
  }
  const requested = world.requests.readRequest(requestPemOf(call.object));
  if (requested === undefined) return 'unable to parse csr: PEM block type must be CERTIFICATE REQUEST';
  const own = `${NODE_USER_PREFIX}${node}`;
  return requested.commonName === own ? undefined : `can only create a node CSR with CN=${own}`;
}
