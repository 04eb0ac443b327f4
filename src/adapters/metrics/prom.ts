// Counts by prom-client, and tells them in Prometheus' text format.

import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Labels, MetricSpec, Metrics } from '../../base/metrics.ts';

export interface MetricsRegistry {
  readonly metrics: Metrics;
  /** The value for `Content-Type`. */
  readonly contentType: string;
  text(): Promise<string>;
}

/** A registry of its own: two programs in one process share nothing. */
export function promMetrics(): MetricsRegistry {
  const registry = new Registry();
  const kept = new Map<string, unknown>();
  const once = <T>(spec: MetricSpec, make: (configuration: Configuration) => T): T => {
    const known = kept.get(spec.name) as T | undefined;
    if (known !== undefined) return known;
    const made = make(configurationOf(spec, registry));
    kept.set(spec.name, made);
    return made;
  };
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    metrics: {
      counter: spec => once(spec, configuration => counterOf(new Counter(configuration))),
      gauge: spec => once(spec, configuration => gaugeOf(new Gauge(configuration))),
      histogram: spec =>
        once(spec, configuration => histogramOf(new Histogram({ ...configuration, buckets: [...spec.buckets] }))),
    },
  };
}

interface Configuration {
  readonly name: string;
  readonly help: string;
  readonly labelNames: string[];
  readonly registers: Registry[];
}

function configurationOf({ name, help, labels = [] }: MetricSpec, registry: Registry): Configuration {
  return { name, help, labelNames: [...labels], registers: [registry] };
}

const counterOf = (counter: Counter) => ({
  add: (labels: Labels = {}, by = 1): void => counter.inc(labels, by),
});

const gaugeOf = (gauge: Gauge) => ({
  set: (value: number, labels: Labels = {}): void => gauge.set(labels, value),
  forget: (labels: Labels): void => gauge.remove(labels),
});

const histogramOf = (histogram: Histogram) => ({
  observe: (value: number, labels: Labels = {}): void => histogram.observe(labels, value),
});
