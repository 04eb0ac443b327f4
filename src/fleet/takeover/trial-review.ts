// The endpoint's part in a trial: what was asked in v1 comes back as answered in v2, so that an answer proves who converted.

import { convertReview } from '../../metal/conversion/review.ts';

export const TRIAL_PATH = '/convert-trial';

interface Trial {
  readonly spec?: { readonly asked?: string };
}

export const convertTrial = (review: unknown): unknown =>
  convertReview(review, (object, apiVersion) => {
    const { spec = {} }: Trial = object;
    return { ...object, apiVersion, spec: { ...spec, answered: spec.asked } };
  });
