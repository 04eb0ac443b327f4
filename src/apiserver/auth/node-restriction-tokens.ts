// Which tokens a node may ask for: bound to one of its own Pods, for an audience that the Pod wants (safe-18).

import { notFound } from '../answer/status.ts';
import type { JsonObject } from '../parts.ts';
import { objectAt, textAt, textsAt } from './fields.ts';
import type { NodeWrite } from './node-restriction.ts';
import { type Admitted, admitUnless, operationOf, unchanged } from './operation.ts';
import { tokenAudiences } from './pod-references.ts';
import { quoted } from './refusal.ts';

/** Verb by which a role lets nodes ask for an audience that no Pod spec names. */
const AUDIENCE_VERB = 'request-serviceaccounts-token-audience';

export function admitNodesToken(write: NodeWrite): Admitted {
  const { node, call, world } = write;
  if (operationOf(call) !== 'CREATE' || call.attributes.subresource !== 'token') return unchanged(call.object);

  const ref = objectAt(call.object, 'spec', 'boundObjectRef');
  const name = textAt(ref, 'name');
  if (textAt(ref, 'apiVersion') !== 'v1' || textAt(ref, 'kind') !== 'Pod' || name === '') {
    return admitUnless(call, 'node requested token not bound to a pod');
  }
  const uid = textAt(ref, 'uid');
  if (uid === '') return admitUnless(call, 'node requested token with a pod binding without a uid');

  const pod = world.stored.get('pods', call.attributes.namespace, name);
  if (pod === undefined) return { refused: notFound({ group: '', resource: 'pods', name }).status };
  return admitUnless(call, againstPod(pod, node, uid) ?? againstAudience(write, pod));
}

function againstPod(pod: JsonObject, node: string, uid: string): string | undefined {
  if (textAt(pod, 'metadata', 'uid') !== uid) {
    return `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
  }
  if (textAt(pod, 'spec', 'nodeName') === node) return undefined;
  return 'node requested token bound to a pod scheduled on a different node';
}

function againstAudience({ call, world }: NodeWrite, pod: JsonObject): string | undefined {
  const audiences = textsAt(call.object, 'spec', 'audiences');
  if (audiences.length > 1) return 'node may only request 0 or 1 audiences';
  const audience = audiences[0] ?? '';
  if (tokenAudiences(pod).includes(audience)) return undefined;

  const { identity, namespace, name } = call.attributes;
  const asked = { identity, namespace, name, verb: AUDIENCE_VERB, resource: audience };
  if (world.authorize({ ...call.attributes, ...asked, version: 'v1', subresource: '' }).allowed) return undefined;
  return `audience ${quoted(audience)} not found in pod spec volume, ${identity.name} is not authorized to request tokens for this audience`;
}
