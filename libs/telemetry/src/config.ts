import { httpUrl, readSettings } from '@bv/settings';
import { z } from 'zod';

export const ConfigSchema = z.object({
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl(
    'OTLP collector that spans are sent to. Unset (and no traces exporter named): tracing is off.',
  ).optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: httpUrl(
    'Full address for spans, if it is not `/v1/traces` of the endpoint above.',
  ).optional(),
  OTEL_TRACES_EXPORTER: z
    .string()
    .default('')
    .meta({ description: 'Traces exporter: otlp or console. "none" turns tracing off.' }),
  OTEL_SDK_DISABLED: z
    .string()
    .default('')
    .meta({ description: '"true" turns tracing off whatever else is set.' }),
});

export type TracingConfig = Readonly<{ enabled: boolean }>;

/** The SDK reads the other OTEL_* variables itself: sampler, service name, protocol, limits. */
export function readTracingConfig(env: NodeJS.ProcessEnv = process.env): TracingConfig {
  const values = readSettings('tracing', ConfigSchema, env);
  const isDisabled =
    values.OTEL_SDK_DISABLED.toLowerCase() === 'true' || values.OTEL_TRACES_EXPORTER === 'none';
  const hasExporter =
    values.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined ||
    values.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT !== undefined ||
    values.OTEL_TRACES_EXPORTER !== '';
  return Object.freeze({ enabled: hasExporter && !isDisabled });
}
