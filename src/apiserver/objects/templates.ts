// Kinds that make Pods of a template: fields of features that are off leave the template as they leave a Pod.

import { withoutTemplateFeatures } from './pod-features.ts';
import type { Strategy } from './strategy.ts';

const making = (...path: readonly string[]): Strategy => ({
  prepareCreate: object => withoutTemplateFeatures(object, path),
  prepareUpdate: object => withoutTemplateFeatures(object, path),
});

export const templates = making('spec', 'template');

export const cronJobs = making('spec', 'jobTemplate', 'spec', 'template');

/** A kind that does more with what it makes Pods of. */
export const withTemplate = (own: Strategy): Strategy => ({
  ...own,
  prepareCreate: (object, call) => {
    const bare = withoutTemplateFeatures(object, ['spec', 'template']);
    return own.prepareCreate?.(bare, call) ?? bare;
  },
  prepareUpdate: (object, old, call) => {
    const bare = withoutTemplateFeatures(object, ['spec', 'template']);
    return own.prepareUpdate?.(bare, old, call) ?? bare;
  },
});
