import { createMetrics } from '@bv/telemetry';
import { expect, test } from '@jest/globals';
import { scanMetrics } from './telemetry.ts';

test('the results of the schedule are told from the start: a series that is born at 1 sets no alert off', async () => {
  const metrics = createMetrics('scans');
  const scans = scanMetrics(metrics);
  const failed = 'bv_scans_scheduled_total{result="failed",service="scans"}';
  expect(await metrics.registry.metrics()).toContain(`${failed} 0`);
  scans.scheduled('failed');
  expect(await metrics.registry.metrics()).toContain(`${failed} 1`);
});
