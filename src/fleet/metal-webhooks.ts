// The Metal3 webhooks of an API in this process: conversion between the two versions of its kinds, without a network.

import { convertReview } from '../metal/conversion/review.ts';
import { type WebhookHandlers, webhookKey } from './webhook-services.ts';

/** Where the definitions of the Metal3 kinds say that conversion is. */
const SERVICE = { namespace: 'pippin-system', name: 'pippin-metal', port: 443 };

export const metalWebhooks: WebhookHandlers = new Map([
  [webhookKey(SERVICE), (_path, review) => Promise.resolve(convertReview(review))],
]);
