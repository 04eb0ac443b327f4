// Kubernetes Events: what happened to an object, for people. Repeated ones are counted; nothing ever waits for them.

import { type Clock, kubeTime, minutes } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';
import { nameSuffix, type Random } from '../base/random.ts';
import type { Api } from './api.ts';
import type { Events } from './controller.ts';
import { Event } from './core/other.ts';
import { isNotFound } from './errors.ts';
import type { KubeObject } from './object.ts';

export interface EventsOptions {
  readonly api: Api;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Who says it: `pippin-manager`, `pippin-agent`. */
  readonly component: string;
  /** The host that says it, for agents. */
  readonly host?: string;
}

/** Events that are sent in the background. */
export interface SentEvents extends Events {
  /** Resolves when nothing is left to send. */
  flushed(): Promise<void>;
}

/** The same reason and words about the same object within this time count up one Event. */
const SAME_WITHIN_MS = minutes(10);

/** How many are known well enough to be counted up; the one longest unheard of is forgotten. */
const MOST_KNOWN = 4096;

/** How many may wait to be sent; at the bound the oldest is dropped, and counted. */
const MOST_WAITING = 1000;

/** Kubernetes' own bound on an Event's message. */
const LONGEST_MESSAGE = 1024;

interface Told {
  readonly about: KubeObject;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  readonly component: string | undefined;
  count: number;
  readonly firstMs: number;
  lastMs: number;
  /** Once it was created. */
  name?: string;
}

/** Events through `api`. Sending one failed: it is dropped, with a log line; events are no record. */
export function events(options: EventsOptions): SentEvents {
  const recorder = new Recorder(options);
  return {
    normal: (about, reason, message, component) => recorder.tell('Normal', about, reason, message, component),
    warning: (about, reason, message) => recorder.tell('Warning', about, reason, message),
    flushed: () => recorder.flushed(),
  };
}

type Said = readonly [reason: string, text: string, component?: string];

class Recorder {
  private readonly options: EventsOptions;
  private readonly known = new Map<string, Told>();
  private readonly waiting = new Set<Told>();
  private sending: Promise<void> = Promise.resolve();
  private isSending = false;
  private readonly dropped: ReturnType<Metrics['counter']>;

  constructor(options: EventsOptions) {
    this.options = options;
    this.dropped = options.metrics.counter({
      name: 'pippin_events_dropped_total',
      help: 'Events that were not sent, because sending failed or too many waited',
      labels: ['why'],
    });
  }

  tell(type: Told['type'], about: KubeObject, ...[reason, text, component]: Said): void {
    const message = text.length > LONGEST_MESSAGE ? `${text.slice(0, LONGEST_MESSAGE - 1)}…` : text;
    const nowMs = this.options.clock.now();
    const { uid = '', name } = about.metadata;
    const key = [about.kind, uid, name, type, reason, message].join('\n');
    const told = this.sameAs(key, nowMs) ?? {
      ...{ about, type, reason, message, component },
      count: 0,
      firstMs: nowMs,
      lastMs: nowMs,
    };
    told.count++;
    told.lastMs = nowMs;
    this.remember(key, told);
    this.waiting.add(told);
    this.dropOldest();
    if (!this.isSending) this.sending = this.send();
  }

  flushed(): Promise<void> {
    return this.sending;
  }

  private sameAs(key: string, nowMs: number): Told | undefined {
    const told = this.known.get(key);
    return told !== undefined && Math.abs(nowMs - told.lastMs) <= SAME_WITHIN_MS ? told : undefined;
  }

  private remember(key: string, told: Told): void {
    this.known.delete(key);
    this.known.set(key, told);
    const [oldest] = this.known.keys();
    if (this.known.size > MOST_KNOWN && oldest !== undefined) this.known.delete(oldest);
  }

  private dropOldest(): void {
    const [oldest] = this.waiting;
    if (this.waiting.size <= MOST_WAITING || oldest === undefined) return;
    this.waiting.delete(oldest);
    this.dropped.add({ why: 'too many' });
  }

  private async send(): Promise<void> {
    this.isSending = true;
    for (const told of this.waiting) {
      this.waiting.delete(told);
      await this.write(told).catch((error: unknown) => {
        this.dropped.add({ why: 'failed' });
        this.options.log.warn('An event could not be sent', { reason: told.reason, error: messageOf(error) });
      });
    }
    this.isSending = false;
  }

  private async write(told: Told): Promise<void> {
    const { api } = this.options;
    const namespace = told.about.metadata.namespace ?? 'default';
    if (told.name !== undefined) {
      const counted = { count: told.count, lastTimestamp: kubeTime(told.lastMs) };
      try {
        await api.patch(Event, { namespace, name: told.name }, counted);
        return;
      } catch (error) {
        if (!isNotFound(error)) throw error; // expired on the server: told anew
      }
    }
    const name = `${told.about.metadata.name.slice(0, 230)}.${nameSuffix(this.options.random, 12)}`;
    await api.create(Event, this.eventOf(told, { name, namespace }));
    told.name = name;
  }

  private eventOf(told: Told, metadata: { name: string; namespace: string }): Event {
    const { host } = this.options;
    const component = told.component ?? this.options.component;
    const { about } = told;
    const { name, namespace, uid, resourceVersion } = about.metadata;
    return {
      apiVersion: 'v1',
      kind: 'Event',
      metadata,
      involvedObject: {
        apiVersion: about.apiVersion,
        kind: about.kind,
        name,
        ...(namespace === undefined ? {} : { namespace }),
        ...(uid === undefined ? {} : { uid }),
        ...(resourceVersion === undefined ? {} : { resourceVersion }),
      },
      type: told.type,
      reason: told.reason,
      message: told.message,
      count: told.count,
      firstTimestamp: kubeTime(told.firstMs),
      lastTimestamp: kubeTime(told.lastMs),
      source: { component, ...(host === undefined ? {} : { host }) },
      reportingComponent: component,
      reportingInstance: host ?? '',
    };
  }
}
