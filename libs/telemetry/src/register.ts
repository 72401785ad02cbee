// Entry of `node --import @bv/telemetry/register`. It runs before the app. Without an exporter it does nothing.
import { readTracingConfig } from './config.ts';

if (readTracingConfig().enabled) {
  const { startTracing } = await import('./start-tracing.ts');
  startTracing();
}
