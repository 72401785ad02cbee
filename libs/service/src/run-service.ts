import type { ServiceName } from '@bv/contract';
import { createLifecycle, type Lifecycle } from '@bv/lifecycle';
import { createLogger, type Logger } from '@bv/telemetry';
import type { ServiceConfig } from './fields.ts';

/** Runs one process of a service: configuration, logger, signals and start. */
export async function runService<Config extends ServiceConfig>(
  service: ServiceName,
  read: () => Config,
  start: (config: Config, deps: { log: Logger; lifecycle: Lifecycle }) => Promise<unknown>,
): Promise<void> {
  const config = readOrExit(service, read);
  const pretty = config.NODE_ENV === 'development';
  const log = createLogger({ service, level: config.LOG_LEVEL, pretty });
  const lifecycle = createLifecycle({ log, drainMs: config.DRAIN_MS });
  lifecycle.handleSignals();
  await lifecycle.start(() => start(config, { log, lifecycle }));
}

/** Logs an invalid environment as a JSON line and exits: a log collector would not show a plain stack trace. */
function readOrExit<Config>(service: ServiceName, read: () => Config): Config {
  try {
    return read();
  } catch (error) {
    createLogger({ service, level: 'fatal' }).fatal({ err: error }, 'the environment is not valid');
    process.exit(1);
  }
}
