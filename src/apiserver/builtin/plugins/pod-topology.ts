// PodTopologyLabels: a Pod bears where it is, the zone and the region of the Node that it is bound to or made on.

import type { Admission, JsonObject, Stored } from '../../parts.ts';
import { objectAt, textAt } from '../json.ts';
import { kept, type PluginWorld } from './new-pod.ts';

const LABELS = ['topology.kubernetes.io/zone', 'topology.kubernetes.io/region'] as const;

export function podTopology({ stored }: PluginWorld): Admission {
  return ({ attributes, resource, object, old }) => {
    if (object === undefined || old !== undefined || resource.storageName !== 'pods') return kept(object);
    return kept(labelled(object, placeOf(stored, nodeOf(object, attributes.subresource))));
  };
}

/** Of a Binding, or of a Pod that says itself where it is. */
function nodeOf(object: JsonObject, subresource: string): string {
  if (subresource === 'binding') return textAt(objectAt(object, 'target'), 'name');
  return subresource === '' ? textAt(objectAt(object, 'spec'), 'nodeName') : '';
}

function placeOf(stored: Stored, node: string): JsonObject | undefined {
  const found = node === '' ? undefined : stored.get('nodes', '', node);
  return found === undefined ? undefined : objectAt(objectAt(found, 'metadata'), 'labels');
}

function labelled(object: JsonObject, place: JsonObject | undefined): JsonObject {
  const known = LABELS.filter(label => place?.[label] !== undefined);
  if (place === undefined || known.length === 0) return object;
  const metadata = objectAt(object, 'metadata');
  const labels = Object.fromEntries(known.map(label => [label, place[label] ?? '']));
  return { ...object, metadata: { ...metadata, labels: { ...objectAt(metadata, 'labels'), ...labels } } };
}
