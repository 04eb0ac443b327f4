// The endpoint of Metal3 over HTTPS: conversion between versions, and verdicts on pools. Every replica serves it, leader or not.

import { type ReviewServer, serveReviews } from '../../adapters/http/review-server.ts';
import { type Clock, kubeTime, minutes, seconds } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { CertificateReader, Keys } from '../../base/keys.ts';
import type { Log } from '../../base/log.ts';
import type { Metrics } from '../../base/metrics.ts';
import { Alarm } from '../../kube/alarm.ts';
import type { Api } from '../../kube/api.ts';
import type { Caches } from '../../kube/cache.ts';
import { CustomResourceDefinition } from '../../kube/core/other.ts';
import { metadataOf } from '../../kube/kind.ts';
import type { Program } from '../controllers.ts';
import { answerReview, listedBy } from '../metal-webhooks.ts';
import { type Lives, USUAL_LIVES } from './authorities.ts';
import { keepCertificate, type Showing } from './certificates.ts';
import { CONVERTED_DEFINITIONS } from './converters.ts';
import type { ServingCertificate } from './serving.ts';

export interface EndpointOptions {
  /** Not through the gate of a lease: a replica that does not lead serves too. */
  readonly api: Api;
  readonly caches: Caches;
  readonly clock: Clock;
  readonly keys: Keys & CertificateReader;
  readonly log: Log;
  readonly metrics: Metrics;
  /** `host:port`. */
  readonly address: string;
  readonly lives?: Lives;
}

/** Changes of definitions are watched; this is for time, and for what the watch misses. */
const LOOK_EVERY_MS = minutes(1);
const RETRY_MS = seconds(5);

export function metalEndpoint(options: EndpointOptions): Program {
  return async signal => {
    const server = await serveReviews({ address: options.address, answer: answerReview(listedBy(options.api)) });
    try {
      await keepCertified(options, server, signal);
    } finally {
      await server.close();
    }
  };
}

async function keepCertified(options: EndpointOptions, server: ReviewServer, signal: AbortSignal): Promise<void> {
  const { caches, clock, lives = USUAL_LIVES } = options;
  const alarm = new Alarm(clock);
  const unsubscribe = caches.of(metadataOf(CustomResourceDefinition)).onChange(({ object }) => {
    if (CONVERTED_DEFINITIONS.includes(object.metadata.name)) alarm.ring();
  });
  // Three looks within a settling, so that an authority signs soon after it may.
  const everyMs = Math.min(LOOK_EVERY_MS, lives.settlingMs / 3);
  const showing: Showing = { shown: undefined, show: certificate => shows(options, server, certificate) };
  try {
    while (!signal.aborted) {
      const isDone = await looked(options, showing);
      await alarm.sleep(isDone ? everyMs : Math.min(RETRY_MS, everyMs), signal).catch(() => undefined);
    }
  } finally {
    unsubscribe();
  }
}

/** A look that fails changes nothing: what is shown is good for weeks. */
async function looked(options: EndpointOptions, showing: Showing): Promise<boolean> {
  const { api, clock, keys, log, lives = USUAL_LIVES } = options;
  try {
    await keepCertificate(api, showing, () => ({ keys, lives, nowMs: clock.now() }));
    return true;
  } catch (error) {
    log.warn('The certificates of the endpoint could not be looked after; it is tried again', {
      error: messageOf(error),
    });
    return false;
  }
}

function shows({ keys, log, metrics }: EndpointOptions, server: ReviewServer, certificate: ServingCertificate): void {
  server.show(certificate);
  const endsMs = keys.readCertificate(certificate.certificatePem)?.notAfter ?? 0;
  metrics
    .gauge({
      name: 'pippin_metal_endpoint_certificate_ends_seconds',
      help: 'When the certificate that this replica shows ends, in seconds since 1970',
    })
    .set(endsMs / 1000);
  log.info('The endpoint of Metal3 shows a new certificate', { ends: kubeTime(endsMs) });
}
