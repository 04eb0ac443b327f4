// What the program counts. The registry behind it sits in adapters/.

export type Labels = Readonly<Record<string, string>>;

export interface Counter {
  add(labels?: Labels, by?: number): void;
}

export interface Gauge {
  set(value: number, labels?: Labels): void;
  /** Drops one series, so that a deleted object leaves none behind. */
  forget(labels: Labels): void;
}

export interface Histogram {
  observe(value: number, labels?: Labels): void;
}

/** What a metric is called and what it means. */
export interface MetricSpec {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
}

/** Creates metrics. The same name twice answers the same metric. */
export interface Metrics {
  counter(spec: MetricSpec): Counter;
  gauge(spec: MetricSpec): Gauge;
  histogram(spec: MetricSpec & { readonly buckets: readonly number[] }): Histogram;
}

/** Counts nothing. */
export const noMetrics: Metrics = {
  counter: () => ({ add: () => undefined }),
  gauge: () => ({ set: () => undefined, forget: () => undefined }),
  histogram: () => ({ observe: () => undefined }),
};
