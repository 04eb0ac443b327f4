// What is doubtful in claims, volumes, classes and capacities: older ways of saying things, and labels that have newer names.

import type { JsonObject } from '../parts.ts';
import { fractionWarnings } from './fraction-warnings.ts';
import { objectAt, objectsAt, textAt } from './json.ts';
import { newerName, oldLabelWarnings, termWarnings } from './old-labels.ts';
import { oldWarnings } from './volume-warnings.ts';

type Warnings = readonly string[];

const OLD_CLASS = 'volume.beta.kubernetes.io/storage-class';

function classWarnings(object: JsonObject): Warnings {
  const isSaid = objectAt(objectAt(object, 'metadata'), 'annotations')[OLD_CLASS] !== undefined;
  const why = 'deprecated since v1.8; use "storageClassName" attribute instead';
  return isSaid ? [`metadata.annotations[${OLD_CLASS}]: ${why}`] : [];
}

export function claimWarnings(claim: JsonObject): Warnings {
  const resources = objectAt(objectAt(claim, 'spec'), 'resources');
  return [
    ...classWarnings(claim),
    ...['requests', 'limits'].flatMap(key =>
      fractionWarnings(`spec.resources.${key}`, objectAt(resources, key), ['storage']),
    ),
  ];
}

export function persistentVolumeWarnings(volume: JsonObject): Warnings {
  const spec = objectAt(volume, 'spec');
  const recycled =
    'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.';
  const terms = objectsAt(objectAt(objectAt(spec, 'nodeAffinity'), 'required'), 'nodeSelectorTerms');
  return [
    ...classWarnings(volume),
    ...(spec.persistentVolumeReclaimPolicy === 'Recycle' ? [recycled] : []),
    ...terms.flatMap((term, index) =>
      termWarnings(`spec.nodeAffinity.required.nodeSelectorTerms[${index}]`, term, () => []),
    ),
    // Of this one the real server warns in Pods alone.
    ...(spec.flocker === undefined ? oldWarnings('spec', spec) : []),
  ];
}

export const storageClassWarnings = (storageClass: JsonObject): Warnings =>
  objectsAt(storageClass, 'allowedTopologies').flatMap((topology, index) =>
    objectsAt(topology, 'matchLabelExpressions').flatMap((expression, at) => {
      const path = `allowedTopologies[${index}].matchLabelExpressions[${at}].key`;
      return newerName(textAt(expression, 'key'), why => `${path}: ${why}`);
    }),
  );

export function storageCapacityWarnings(capacity: JsonObject): Warnings {
  const topology = objectAt(capacity, 'nodeTopology');
  const expressions = objectsAt(topology, 'matchExpressions');
  return [
    ...Object.keys(objectAt(topology, 'matchLabels'))
      .sort()
      .flatMap(label => newerName(label, why => `nodeTopology.matchLabels.${label}: ${why}`)),
    ...expressions.flatMap((expression, index) =>
      oldLabelWarnings(`nodeTopology.matchExpressions[${index}].key`, textAt(expression, 'key')),
    ),
  ];
}

export function runtimeClassWarnings(runtimeClass: JsonObject): Warnings {
  const labels = Object.keys(objectAt(objectAt(runtimeClass, 'scheduling'), 'nodeSelector')).sort();
  return labels.flatMap(label => newerName(label, why => `scheduling.nodeSelector: ${why}`));
}
