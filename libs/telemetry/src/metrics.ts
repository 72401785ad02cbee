import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { CounterConfiguration, GaugeConfiguration, HistogramConfiguration, Metric } from 'prom-client';

export type Metrics = {
  registry: Registry;
  counter<Label extends string>(options: CounterConfiguration<Label>): Counter<Label>;
  histogram<Label extends string>(options: HistogramConfiguration<Label>): Histogram<Label>;
  gauge<Label extends string>(options: GaugeConfiguration<Label>): Gauge<Label>;
};

/**
 * One registry for one service, never the global one, so that several apps can live in a test process.
 * Asking twice for the same name gives the same metric: two pools of a process share their histogram.
 */
export function createMetrics(service: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  const reuse = <M extends Metric>(name: string, create: () => M): M =>
    (registry.getSingleMetric(name) as M | undefined) ?? create();
  const registers = [registry];
  return {
    registry,
    counter: (options) => reuse(options.name, () => new Counter({ ...options, registers })),
    histogram: (options) => reuse(options.name, () => new Histogram({ ...options, registers })),
    gauge: (options) => reuse(options.name, () => new Gauge({ ...options, registers })),
  };
}
