// What a node may do by being that node: its own Node, Lease and Pods, and what these Pods name (safe-18).

import type { Attributes, Authorizer, Stored, Verdict } from '../parts.ts';
import { nodeNameOf } from './node-name.ts';
import { type Reached, reaches } from './node-reach.ts';
import { NODE_RULES } from './policy/node-rules.ts';
import { quoted } from './refusal.ts';
import { ruleAllows } from './rules.ts';
import { selects, targetName } from './target.ts';

const NODE_LEASES = 'kube-node-lease';
const READS = ['get', 'list', 'watch'];
const OWN_WRITES = ['get', 'create', 'update', 'patch', 'delete'];

/** One request of one node. */
interface Asked {
  readonly node: string;
  readonly stored: Stored;
  readonly attributes: Attributes;
  /** The object's name, from the path or the field selector. */
  readonly name: string;
}

type Check = (asked: Asked) => Verdict;

const yes: Verdict = { allowed: true };
const no = (reason = ''): Verdict => ({ allowed: false, reason });

/** Has an opinion on nodes only; admission (NodeRestriction) narrows the writes further. */
export function nodeAuthorizer(stored: Stored): Authorizer {
  return attributes => {
    const node = nodeNameOf(attributes.identity);
    if (node === undefined) return no();
    if (node === '') return no(`unknown node for user ${quoted(attributes.identity.name)}`);

    const check = CHECKS[`${attributes.group}/${attributes.resource}`];
    if (check !== undefined) return check({ node, stored, attributes, name: targetName(attributes) });
    return NODE_RULES.some(rule => ruleAllows(rule, attributes)) ? yes : no();
  };
}

const CHECKS: Readonly<Record<string, Check>> = {
  '/secrets': asked => readNamespaced('secrets', asked),
  '/configmaps': asked => readNamespaced('configmaps', asked),
  '/persistentvolumeclaims': claims,
  '/persistentvolumes': asked => getOne('persistentvolumes', asked),
  '/serviceaccounts': serviceAccounts,
  '/nodes': nodes,
  '/pods': pods,
  'coordination.k8s.io/leases': leases,
  'storage.k8s.io/csinodes': csiNodes,
  // These belong to a node by ways that the embedded API does not follow: nobody's, so denied.
  'storage.k8s.io/volumeattachments': () => no(),
  'resource.k8s.io/resourceclaims': () => no(),
  'resource.k8s.io/resourceslices': () => no(),
  'certificates.k8s.io/podcertificaterequests': () => no(),
};

function related(what: Reached, { stored, node, attributes, name }: Asked): Verdict {
  if (name === '') return no('No Object name found');
  if (reaches(stored, node, what, { namespace: attributes.namespace, name })) return yes;
  return no(`no relationship found between node '${node}' and this object`);
}

function readNamespaced(what: Reached, asked: Asked): Verdict {
  const { verb, subresource, namespace } = asked.attributes;
  if (!READS.includes(verb)) return no('can only read resources of this type');
  if (subresource !== '') return no('cannot read subresource');
  if (namespace === '') return no('can only read namespaced object of this type');
  return related(what, asked);
}

function getOne(what: Reached, asked: Asked): Verdict {
  if (asked.attributes.verb !== 'get') return no('can only get individual resources of this type');
  if (asked.attributes.subresource !== '') return no('cannot get subresource');
  return related(what, asked);
}

function claims(asked: Asked): Verdict {
  const { verb, subresource } = asked.attributes;
  if (subresource !== 'status') return getOne('persistentvolumeclaims', asked);
  if (verb !== 'update' && verb !== 'patch') return no('can only get/update/patch this type');
  return related('persistentvolumeclaims', asked);
}

function serviceAccounts(asked: Asked): Verdict {
  const { verb, subresource, name } = asked.attributes;
  if (verb === 'get' && subresource === '') return readNamespaced('serviceaccounts', asked);
  if (verb !== 'create' || name === '') return no('can only create tokens for individual service accounts');
  if (subresource !== 'token') return no('can only create token subresource of serviceaccount');
  return related('serviceaccounts', asked);
}

function nodes({ node, attributes, name }: Asked): Verdict {
  const { verb, subresource } = attributes;
  if (subresource === 'status') return verb === 'update' || verb === 'patch' ? yes : no();
  if (subresource !== '') return no();
  if (['create', 'update', 'patch'].includes(verb)) return yes;
  if (!READS.includes(verb)) return no();

  if (name === node) return yes;
  if (name === '') return no(`node '${node}' cannot read all nodes, only its own Node object`);
  return no(`node '${node}' cannot read '${name}', only its own Node object`);
}

function pods(asked: Asked): Verdict {
  const { verb, subresource } = asked.attributes;
  switch (subresource) {
    case '':
      return podItself(asked);
    case 'status':
      return verb === 'update' || verb === 'patch' ? yes : no();
    case 'eviction':
      return verb === 'create' ? yes : no();
    default:
      return no();
  }
}

/** Finalizers and stamps go through pods/status: the Pod itself a node can neither update nor patch. */
function podItself(asked: Asked): Verdict {
  const { verb, fieldSelector } = asked.attributes;
  if (verb === 'get') return getOne('pods', asked);
  if (verb === 'create' || verb === 'delete') return yes;
  if (verb !== 'list' && verb !== 'watch') return no();

  if (selects(fieldSelector, 'spec.nodeName', asked.node)) return yes;
  if (asked.name !== '') return related('pods', asked);
  return no('can only list/watch pods with spec.nodeName field selector');
}

function leases({ node, attributes, name }: Asked): Verdict {
  const { verb, namespace } = attributes;
  if (!OWN_WRITES.includes(verb)) return no('can only get, create, update, patch, or delete a node lease');
  if (namespace !== NODE_LEASES) return no(`can only access leases in the ${quoted(NODE_LEASES)} system namespace`);
  // On create the name is in the body only: NodeRestriction compares it there.
  if (verb !== 'create' && name !== node) {
    return no('can only access node lease with the same name as the requesting node');
  }
  return yes;
}

function csiNodes({ node, attributes, name }: Asked): Verdict {
  const { verb, subresource } = attributes;
  if (!OWN_WRITES.includes(verb)) return no('can only get, create, update, patch, or delete a CSINode');
  if (subresource !== '') return no('cannot authorize CSINode subresources');
  if (verb !== 'create' && name !== node)
    return no('can only access CSINode with the same name as the requesting node');
  return yes;
}
