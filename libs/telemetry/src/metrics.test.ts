import { expect, test } from '@jest/globals';
import { createMetrics } from './metrics.ts';

test('default and own metrics carry the service label', async () => {
  const metrics = createMetrics('catalog');
  metrics.counter({ name: 'things_total', help: 'Things.', labelNames: ['kind'] }).inc({ kind: 'a' });
  const text = await metrics.registry.metrics();
  expect(text).toContain('things_total{kind="a",service="catalog"} 1');
  expect(text).toMatch(/process_resident_memory_bytes\{service="catalog"\} \d+/);
});

test('the same name returns the same metric; registries are separate', async () => {
  const first = createMetrics('a');
  const options = { name: 'calls_total', help: 'Calls.' };
  expect(first.counter(options)).toBe(first.counter(options));
  expect(createMetrics('b').counter(options)).not.toBe(first.counter(options));
  expect(() => first.counter({ ...options, collect: () => undefined })).toThrow(
    'calls_total has a collector already',
  );
});
