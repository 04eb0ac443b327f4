// What admission plugins have in common: they look at new Pods, and refuse in one sentence.

import { forbidden } from '../../answer/status.ts';
import type { Admission, JsonObject, Stored } from '../../parts.ts';
import { objectAt, textAt } from '../json.ts';

export type Call = Parameters<Admission>[0];
export type Answer = ReturnType<Admission>;

/** Undefined: the call is about something else. */
function newPodIn({ attributes, resource, object, old }: Call): JsonObject | undefined {
  const isNew = resource.storageName === 'pods' && attributes.subresource === '' && old === undefined;
  return isNew ? object : undefined;
}

/** A plugin that makes something of new Pods and leaves everything else as it is. */
export const onNewPods =
  (work: (pod: JsonObject, call: Call) => Answer): Admission =>
  call => {
    const pod = newPodIn(call);
    return pod === undefined ? kept(call.object) : work(pod, call);
  };

export const kept = (object: JsonObject | undefined, warnings: readonly string[] = []): Answer => ({
  object,
  warnings,
});

export function refused({ attributes, resource, object }: Call, why: string): Answer {
  const metadata = objectAt(object ?? {}, 'metadata');
  const name = attributes.name || textAt(metadata, 'name') || textAt(metadata, 'generateName');
  return { refused: forbidden({ group: resource.group, resource: resource.plural, name }, why).status };
}

export const withSpec = (pod: JsonObject, changes: JsonObject): JsonObject => ({
  ...pod,
  spec: { ...objectAt(pod, 'spec'), ...changes },
});

export type PluginWorld = { readonly stored: Stored };
