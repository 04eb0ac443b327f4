// The Metal3 webhooks of an API in this process, without a network: conversion between versions, and verdicts on pools.

import { admitMetal } from '../metal/admission/review.ts';
import { convertReview } from '../metal/conversion/review.ts';
import { poolVerdict } from './pool-admission.ts';
import { type WebhookHandlers, webhookKey } from './webhook-services.ts';

/** Where the definitions of the Metal3 kinds say that conversion is. */
const SERVICE = { namespace: 'pippin-system', name: 'pippin-metal', port: 443 };

export const metalWebhooks: WebhookHandlers = new Map([
  [
    webhookKey(SERVICE),
    async (path, review) => (path === '/validate' ? admitMetal(review, poolVerdict) : convertReview(review)),
  ],
]);
