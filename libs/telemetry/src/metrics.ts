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
 * Asking twice for the same name gives the same metric: two pools of a process share their histogram. Not one with
 * `collect`, which only the first asker would be asked by.
 */
export function createMetrics(service: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  const reuse = <M extends Metric>(
    { name, collect }: { name: string; collect?: unknown },
    create: () => M,
  ): M => {
    const known = registry.getSingleMetric(name) as M | undefined;
    // Two askers that both hand over what they have counted: the second would never be asked for it.
    if (known !== undefined && collect !== undefined) throw new Error(`${name} is collected already`);
    return known ?? create();
  };
  const registers = [registry];
  return {
    registry,
    counter: (options) => reuse(options, () => new Counter({ ...options, registers })),
    histogram: (options) => reuse(options, () => new Histogram({ ...options, registers })),
    gauge: (options) => reuse(options, () => new Gauge({ ...options, registers })),
  };
}
