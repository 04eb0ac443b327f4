// What the endpoint of Metal3 answers, over whatever it is asked: conversion between versions, and verdicts on pools.

import { admitMetal } from '../metal/admission/review.ts';
import { convertReview } from '../metal/conversion/review.ts';
import { ENDPOINT_SERVICE } from './metal-endpoint/names.ts';
import { poolVerdict } from './pool-admission.ts';
import { convertTrial, TRIAL_PATH } from './takeover/trial-review.ts';
import { type WebhookHandler, type WebhookHandlers, webhookKey } from './webhook-services.ts';

export const answerReview: WebhookHandler = async (path, review) => {
  if (path === '/validate') return admitMetal(review, poolVerdict);
  return path === TRIAL_PATH ? convertTrial(review) : convertReview(review);
};

/** For an API in this process, without a network. */
export const metalWebhooks: WebhookHandlers = new Map([[webhookKey(ENDPOINT_SERVICE), answerReview]]);
