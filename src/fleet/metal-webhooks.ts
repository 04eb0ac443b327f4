// What the endpoint of Metal3 answers, over whatever it is asked: conversion between versions, and verdicts on pools.

import type { Stored } from '../apiserver/parts.ts';
import type { Listing } from '../ipam/pool/held.ts';
import type { Api } from '../kube/api.ts';
import { resourceName } from '../kube/kind.ts';
import type { KubeObject } from '../kube/object.ts';
import { admitMetal } from '../metal/admission/review.ts';
import { convertReview } from '../metal/conversion/review.ts';
import { ENDPOINT_SERVICE } from './metal-endpoint/names.ts';
import { poolVerdict } from './pool-admission.ts';
import { convertTrial, TRIAL_PATH } from './takeover/trial-review.ts';
import { type WebhookHandler, type WebhookHandlers, webhookKey } from './webhook-services.ts';

/** `list` answers which addresses there are, when the bounds of a pool change. */
export const answerReview =
  (list: Listing): WebhookHandler =>
  async (path, review) => {
    if (path === '/validate') return admitMetal(review, poolVerdict(list));
    return path === TRIAL_PATH ? convertTrial(review) : convertReview(review);
  };

/** A replica keeps no addresses, whether it leads or not: it asks when it has to. */
export const listedBy =
  (api: Pick<Api, 'list' | 'serves'>): Listing =>
  async (kind, namespace) =>
    (await api.serves(kind)) ? (await api.list(kind, { namespace })).items : [];

/** For an API in this process, without a network. */
export const metalWebhooks = (stored: Stored): WebhookHandlers => {
  const list: Listing = async (kind, namespace) =>
    // What is stored under a kind's name is of that kind.
    stored.list(resourceName(kind), namespace) as readonly object[] as readonly KubeObject[];
  return new Map([[webhookKey(ENDPOINT_SERVICE), answerReview(list)]]);
};
