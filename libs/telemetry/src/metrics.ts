import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { CounterConfiguration, GaugeConfiguration, HistogramConfiguration, Metric } from 'prom-client';

export type Metrics = {
  registry: Registry;
  counter<Label extends string>(options: CounterConfiguration<Label>): Counter<Label>;
  histogram<Label extends string>(options: HistogramConfiguration<Label>): Histogram<Label>;
  gauge<Label extends string>(options: GaugeConfiguration<Label>): Gauge<Label>;
};

/**
 * Creates a registry for one service instead of the global one, so that a test process can run several apps.
 * The same name returns the same metric: two pools of a process share their histogram. A second metric with `collect`
 * throws, because prom-client would only run the first `collect`.
 */
export function createMetrics(service: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  const reuse = <M extends Metric>(
    { name, collect }: { name: string; collect?: unknown },
    create: () => M,
  ): M => {
    const existing = registry.getSingleMetric(name) as M | undefined;
    if (existing !== undefined && collect !== undefined) throw new Error(`${name} has a collector already`);
    return existing ?? create();
  };
  const registers = [registry];
  return {
    registry,
    counter: (options) => reuse(options, () => new Counter({ ...options, registers })),
    histogram: (options) => reuse(options, () => new Histogram({ ...options, registers })),
    gauge: (options) => reuse(options, () => new Gauge({ ...options, registers })),
  };
}
