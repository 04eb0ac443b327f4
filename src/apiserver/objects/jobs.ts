// Jobs: each finds its Pods by its own UID, unless it says that it selects them itself.

import type { JsonObject } from '../parts.ts';
import { objectAt, stringAt, withMeta } from '../rules/json.ts';
import type { Strategy } from './strategy.ts';

export const jobs: Strategy = { prepareCreate: withOwnSelector };

function withOwnSelector(job: JsonObject): JsonObject {
  const spec = objectAt(job, 'spec');
  if (spec.manualSelector === true) return withLabels(job);
  const metadata = objectAt(job, 'metadata');
  const [name, uid] = [stringAt(metadata, 'name'), stringAt(metadata, 'uid')];
  const template = objectAt(spec, 'template');
  const labels = {
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': name,
    'controller-uid': uid,
    'job-name': name,
    ...objectAt(objectAt(template, 'metadata'), 'labels'),
  };
  // One of its own is completed, so that it can be told in validation.
  const own = objectAt(spec, 'selector');
  const labelsOf = { 'batch.kubernetes.io/controller-uid': uid, ...objectAt(own, 'matchLabels') };
  const matchLabels = Object.fromEntries(Object.entries(labelsOf).sort(([a], [b]) => (a < b ? -1 : 1)));
  const selector = { ...own, matchLabels };
  return withLabels({ ...job, spec: { ...spec, selector, template: withMeta(template, { labels }) } });
}

/** A Job without labels bears those of its Pods. */
function withLabels(job: JsonObject): JsonObject {
  const { labels } = objectAt(objectAt(objectAt(job, 'spec'), 'template'), 'metadata');
  const own = objectAt(objectAt(job, 'metadata'), 'labels');
  return labels === undefined || Object.keys(own).length > 0 ? job : withMeta(job, { labels });
}
