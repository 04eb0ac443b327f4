// pods/binding: the scheduler's word on which Node runs a Pod, given once.

import { kubeTime } from '../../base/clock.ts';
import type { ApiResponse } from '../../kube/transport.ts';
import { acceptedFor } from '../answer/present.ts';
import { objectAnswer } from '../answer/render.ts';
import { conflict, type Refusal, unexpected } from '../answer/status.ts';
import type { Call } from '../core.ts';
import type { JsonObject } from '../parts.ts';
import { isObject, listAt, objectAt, stringAt, withMeta } from '../rules/json.ts';
import { admittedBody } from '../verbs/judged.ts';
import { writeOptions } from '../verbs/options.ts';
import { changed } from '../verbs/update.ts';
import { bodyOfKind, SUCCESS } from './body.ts';

export async function bindPod(call: Call): Promise<ApiResponse> {
  const accepted = acceptedFor(call);
  const options = writeOptions(call, 'CreateOptions');
  const binding = await admittedBody(call, bodyOfKind(call, 'Binding'), options);
  const node = targetOf(binding);
  await changed(call, options, old => ({ object: bound(call, old, node, binding), how: 'bySystem' }));
  return objectAnswer(201, SUCCESS, accepted, call.core.parts.protobuf);
}

/** The real server answers 500 here, without a reason. */
function targetOf(binding: JsonObject): string {
  const target = objectAt(binding, 'target');
  const [kind, name] = [stringAt(target, 'kind'), stringAt(target, 'name')];
  const problems = [
    ...(kind === '' || kind === 'Node'
      ? []
      : [`target.kind: Unsupported value: ${JSON.stringify(kind)}: supported values: "Node", "<empty>"`]),
    ...(name === '' ? ['target.name: Required value'] : []),
  ];
  if (problems.length > 0) throw unexpected(problems.length === 1 ? (problems[0] ?? '') : `[${problems.join(', ')}]`);
  return name;
}

function bound(call: Call, old: JsonObject, node: string, binding: JsonObject): JsonObject {
  const { name } = call.path;
  const spec = objectAt(old, 'spec');
  const uid = stringAt(objectAt(binding, 'metadata'), 'uid');
  const recorded = stringAt(objectAt(old, 'metadata'), 'uid');
  if (uid !== '' && uid !== recorded) throw anotherPod(call, uid, recorded);
  const subject = { group: '', resource: 'pods/binding', name };
  if (objectAt(old, 'metadata').deletionTimestamp !== undefined) {
    throw conflict(subject, `pod ${name} is being deleted, cannot be assigned to a host`);
  }
  if (stringAt(spec, 'nodeName') !== '') {
    throw conflict(subject, `pod ${name} is already assigned to node ${JSON.stringify(spec.nodeName)}`);
  }
  const status = objectAt(old, 'status');
  if (listAt(spec, 'schedulingGates').length > 0) {
    throw conflict(subject, `pod ${name} has non-empty .spec.schedulingGates`);
  }
  const conditions = listAt(status, 'conditions').filter(c => !isObject(c) || c.type !== 'PodScheduled');
  const scheduled = {
    type: 'PodScheduled',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: kubeTime(call.core.clock.now()),
  };
  const next = {
    ...old,
    spec: { ...spec, nodeName: node },
    status: { ...status, conditions: [...conditions, scheduled] },
  };
  return withMetadataOf(next, objectAt(binding, 'metadata'));
}

/** In the words of the real server's storage. */
function anotherPod({ path }: Call, uid: string, recorded: string): Refusal {
  const what = `StorageError: invalid object, Code: 4, Key: /registry/pods/${path.namespace}/${path.name}, ResourceVersion: 0`;
  const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${recorded}`;
  return conflict({ group: '', resource: 'pods', name: path.name }, `${what}, AdditionalErrorMsg: ${why}`);
}

/** What is written on the Binding is written on the Pod. */
function withMetadataOf(object: JsonObject, metadata: JsonObject): JsonObject {
  const [labels, annotations] = [objectAt(metadata, 'labels'), objectAt(metadata, 'annotations')];
  const own = objectAt(object, 'metadata');
  const more = {
    ...(Object.keys(labels).length === 0 ? {} : { labels: { ...objectAt(own, 'labels'), ...labels } }),
    ...(Object.keys(annotations).length === 0
      ? {}
      : { annotations: { ...objectAt(own, 'annotations'), ...annotations } }),
  };
  return withMeta(object, more);
}
