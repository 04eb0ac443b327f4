// What a node may do to Pods: report on its own, evict and delete its own, create mirrors of itself (safe-18).

import { isDeepStrictEqual } from 'node:util';
import { notFound } from '../answer/status.ts';
import type { JsonObject } from '../parts.ts';
import { listAt, objectAt, textAt, textMapAt, valueAt } from './fields.ts';
import type { NodeWrite } from './node-restriction.ts';
import { type Admitted, admitUnless, operationOf, requestedName, unchanged } from './operation.ts';
import { accountName, claimNames, configMapNames, isMirror, secretNames } from './pod-references.ts';
import { quoted } from './refusal.ts';

const MIRROR = 'kubernetes.io/config.mirror';

const isOn = (pod: JsonObject | undefined, node: string): boolean => textAt(pod, 'spec', 'nodeName') === node;

export function admitNodesPod(write: NodeWrite): Admitted {
  const { node, call } = write;
  switch (operationOf(call)) {
    case 'CREATE':
      return admitMirror(write);
    case 'DELETE':
      return admitOwn(write, `node ${quoted(node)} can only delete pods with spec.nodeName set to itself`);
    default:
      return admitUnless(
        call,
        `unexpected operation "UPDATE", node ${quoted(node)} can only create and delete mirror pods`,
      );
  }
}

export function admitNodesEviction(write: NodeWrite): Admitted {
  if (operationOf(write.call) !== 'CREATE') return admitUnless(write.call, 'unexpected operation UPDATE');
  return admitOwn(write, `node ${write.node} can only evict pods with spec.nodeName set to itself`);
}

/** The Pod as stored decides, never what the request says of it. */
function admitOwn({ node, call, world }: NodeWrite, otherwise: string): Admitted {
  const name = requestedName(call);
  const pod = world.stored.get('pods', call.attributes.namespace, name);
  if (pod === undefined) return { refused: notFound({ group: '', resource: 'pods', name }).status };
  return isOn(pod, node) ? unchanged(call.object) : admitUnless(call, otherwise);
}

/** Finalizers and annotations may change this way (safe-18); labels, which others select by, may not. */
export function admitNodesPodStatus({ node, call }: NodeWrite): string | undefined {
  const { object, old } = call;
  if (!isOn(old, node)) {
    return `node ${quoted(node)} can only update pod status for pods with spec.nodeName set to itself`;
  }
  if (!isDeepStrictEqual(textMapAt(object, 'metadata', 'labels'), textMapAt(old, 'metadata', 'labels'))) {
    return `node ${quoted(node)} cannot update labels through pod status`;
  }
  const claims = ['status', 'resourceClaimStatuses'];
  if (!isDeepStrictEqual(listAt(object, ...claims), listAt(old, ...claims))) {
    return `node ${quoted(node)} cannot update resource claim statues`;
  }
  return undefined;
}

function admitMirror(write: NodeWrite): Admitted {
  const { node, call, world } = write;
  const pod = call.object ?? {};
  const early = againstMirror(node, pod);
  if (early !== undefined) return admitUnless(call, early);

  const uid = textAt(listAt(pod, 'metadata', 'ownerReferences')[0], 'uid');
  const self = world.stored.get('nodes', '', node);
  if (self === undefined) return { refused: notFound({ group: '', resource: 'nodes', name: node }).status };
  const known = textAt(self, 'metadata', 'uid');
  if (uid !== known) return admitUnless(call, `node ${node} UID mismatch: expected ${uid} got ${known}`);
  return admitUnless(call, againstReferences(node, pod));
}

function againstMirror(node: string, pod: JsonObject): string | undefined {
  const subject = `node ${quoted(node)} can only create`;
  if (!isMirror(pod)) return `pod does not have ${quoted(MIRROR)} annotation, ${subject} mirror pods`;
  if (!isOn(pod, node)) return `${subject} pods with spec.nodeName set to itself`;

  const owners = listAt(pod, 'metadata', 'ownerReferences');
  if (owners.length > 1) return `${subject} pods with a single owner reference set to itself`;
  const owner = owners[0];
  const isSelf =
    textAt(owner, 'apiVersion') === 'v1' && textAt(owner, 'kind') === 'Node' && textAt(owner, 'name') === node;
  if (!isSelf) return `${subject} pods with an owner reference set to itself`;
  if (valueAt(owner, 'controller') !== true) {
    return `${subject} pods with a controller owner reference set to itself`;
  }
  if (valueAt(owner, 'blockOwnerDeletion') === true) {
    return `node ${quoted(node)} must not set blockOwnerDeletion on an owner reference`;
  }
  return undefined;
}

/** A mirror that named a Secret would open that Secret to the node. */
function againstReferences(node: string, pod: JsonObject): string | undefined {
  const subject = `node ${quoted(node)} can not create pods that reference`;
  if (accountName(pod) !== '') return `${subject} a service account`;
  if (secretNames(pod).length > 0) return `${subject} secrets`;
  if (configMapNames(pod).length > 0) return `${subject} configmaps`;
  if (namesTrustBundle(pod)) return `${subject} clustertrustbundles`;
  if (claimNames(pod).length > 0) return `${subject} persistentvolumeclaims`;
  if (listAt(pod, 'spec', 'resourceClaims').length > 0) return `${subject} resourceclaims`;
  return undefined;
}

const namesTrustBundle = (pod: JsonObject): boolean =>
  listAt(pod, 'spec', 'volumes').some(volume =>
    listAt(volume, 'projected', 'sources').some(source => objectAt(source, 'clusterTrustBundle') !== undefined),
  );
