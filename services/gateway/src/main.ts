import { createLifecycle } from '@bv/lifecycle';
import { createLogger } from '@bv/telemetry';
import { createApp } from './app.ts';
import { readConfig } from './config.ts';

const config = readConfig();
const log = createLogger({
  service: 'gateway',
  level: config.LOG_LEVEL,
  pretty: config.NODE_ENV === 'development',
});
const lifecycle = createLifecycle({ log, drainMs: config.DRAIN_MS });
lifecycle.handleSignals();
await lifecycle.start(() => createApp(config, { log, lifecycle }));
