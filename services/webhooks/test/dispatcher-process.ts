import { createLifecycle } from '@bv/lifecycle';
import { createLogger } from '@bv/telemetry';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';

// A dispatcher of its own process, for tests to kill; configured by its environment like any other.
const config = readConfig();
const log = createLogger({ service: 'webhooks-test', level: config.LOG_LEVEL });
const lifecycle = createLifecycle({ log, drainMs: 0 });
lifecycle.handleSignals();
await createApp(config, { log, lifecycle });
process.stdout.write('ready\n');
