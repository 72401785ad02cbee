import { createLifecycle } from '@bv/lifecycle';
import { createLogger } from '@bv/telemetry';
import { createApp } from './app.ts';
import { readConfig } from './config.ts';

const config = readConfig();
const log = createLogger({ service: 'webhooks', level: config.LOG_LEVEL });
const lifecycle = createLifecycle({ log, drainMs: config.DRAIN_MS });
lifecycle.handleSignals();
await createApp(config, { log, lifecycle }).catch((error: unknown) => {
  // Told to stop while it was still starting: what was under way had to fail.
  if (!lifecycle.signal.aborted) throw error;
});
