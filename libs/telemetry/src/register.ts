// Bootstrap for `node --import @bv/telemetry/register`: it runs before the app, and without an exporter it is a no-op.
import { readTracingConfig } from './config.ts';

if (readTracingConfig().enabled) {
  const { startTracing } = await import('./start-tracing.ts');
  startTracing();
}
