import { z } from 'zod';

export const ConfigSchema = z.object({
  OTEL_EXPORTER_OTLP_ENDPOINT: z.string().default('').meta({
    description:
      'OTLP collector that spans are sent to. Unset (and no traces exporter named): tracing is off.',
  }),
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

/** The other OTEL_* variables (sampler, service name, protocol, limits) are read by the SDK itself. */
export function readTracingConfig(env: NodeJS.ProcessEnv = process.env): TracingConfig {
  const values = ConfigSchema.parse(env);
  const off = values.OTEL_SDK_DISABLED.toLowerCase() === 'true' || values.OTEL_TRACES_EXPORTER === 'none';
  const named = values.OTEL_EXPORTER_OTLP_ENDPOINT !== '' || values.OTEL_TRACES_EXPORTER !== '';
  return Object.freeze({ enabled: named && !off });
}
