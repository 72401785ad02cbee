import { createLifecycle } from '@bv/lifecycle';
import { createLogger } from '@bv/telemetry';
import { startApp } from './app.ts';
import { readConfig } from './config.ts';

const config = readConfig();
const log = createLogger({ service: 'results', level: config.LOG_LEVEL });
const lifecycle = createLifecycle({ log, drainMs: config.DRAIN_MS });
lifecycle.handleSignals();
await lifecycle.start(() => startApp(config, { log, lifecycle }));
