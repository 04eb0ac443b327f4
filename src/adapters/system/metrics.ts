// Metrics for Prometheus, by prom-client: one registry per program.

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { MetricSpec, Metrics } from '../../base/metrics.ts';

/** Metrics that can be scraped. */
export interface ScrapedMetrics extends Metrics {
  /** All of them, in the text format, with the `Content-Type` that goes with it. */
  scrape(): Promise<{ readonly contentType: string; readonly body: string }>;
}

/** An empty registry, with the measurements of the process itself. */
export function systemMetrics(): ScrapedMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const optionsOf = ({ name, help, labels = [] }: MetricSpec) => ({
    name,
    help,
    labelNames: [...labels],
    registers: [registry],
  });
  const once = <M>(name: string, create: () => M): M => (registry.getSingleMetric(name) as M | undefined) ?? create();
  return {
    counter: spec => {
      const metric = once(spec.name, () => new Counter<string>(optionsOf(spec)));
      return { add: (labels = {}, by = 1) => metric.inc(labels, by) };
    },
    gauge: spec => {
      const metric = once(spec.name, () => new Gauge<string>(optionsOf(spec)));
      return { set: (value, labels = {}) => metric.set(labels, value), forget: labels => metric.remove(labels) };
    },
    histogram: spec => {
      const metric = once(spec.name, () => new Histogram<string>({ ...optionsOf(spec), buckets: [...spec.buckets] }));
      return { observe: (value, labels = {}) => metric.observe(labels, value) };
    },
    scrape: async () => ({ contentType: registry.contentType, body: await registry.metrics() }),
  };
}
