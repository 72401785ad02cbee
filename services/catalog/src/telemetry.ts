import type { Metrics } from '@bv/telemetry';

/** Metrics of this service in addition to those of requests, queries and events. */
export type CatalogMetrics = { syncResults(results: readonly { action: string }[]): void };

export function catalogMetrics(metrics: Metrics): CatalogMetrics {
  const syncResults = metrics.counter({
    name: 'bv_catalog_prompt_sync_results_total',
    help: 'Results of prompt syncs by action.',
    labelNames: ['action'],
  });
  return {
    syncResults: (results) => {
      for (const { action } of results) syncResults.inc({ action });
    },
  };
}
