import { createMetrics } from '@bv/telemetry';
import { expect, test } from '@jest/globals';
import { scanMetrics } from './telemetry.ts';

test('every result of the schedule starts at 0: an alert cannot detect the increase of a series that starts at 1', async () => {
  const metrics = createMetrics('scans');
  const scans = scanMetrics(metrics);
  const failed = 'bv_scans_scheduled_total{result="failed",service="scans"}';
  expect(await metrics.registry.metrics()).toContain(`${failed} 0`);
  scans.scheduled('failed');
  expect(await metrics.registry.metrics()).toContain(`${failed} 1`);
});
