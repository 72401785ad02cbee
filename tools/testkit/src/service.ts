import { randomBytes, randomUUID } from 'node:crypto';
import type { ServiceName } from '@bv/contract';
import { connectNats, type EventData, type EventDefinition } from '@bv/events';
import { createLifecycle, type Lifecycle } from '@bv/lifecycle';
import { createLogger, type Logger } from '@bv/telemetry';
import { jetstream } from '@nats-io/jetstream';
import pg from 'pg';
import { callService, type ServiceCall, testCallerSecret } from './caller.ts';
import { createDatabase, type TestDatabase } from './databases.ts';
import { createOperationClient } from './operation-client.ts';
import { startNats } from './servers.ts';

type BaseDeps = { log: Logger; lifecycle: Lifecycle };
type BaseApp = { port: number; monitoringPort: number };

/** The entry of a service: what its `main.ts` passes to `runService`. */
export type ServiceEntry<Config, Deps extends BaseDeps, App extends BaseApp> = {
  name: ServiceName;
  readConfig: (env: NodeJS.ProcessEnv) => Config;
  createApp: (config: Config, deps: Deps) => Promise<App>;
};

export type ReplicaOptions<Deps> = {
  /** Environment variables in addition to those of `serviceEnvironment`. */
  env?: Record<string, string>;
  /** Such as `now`. */
  deps?: Partial<Omit<Deps, keyof BaseDeps>>;
};

/** The environment of a service in a test, in this process or in another one. */
export function serviceEnvironment(stores: { databaseUrl: string; natsUrl: string }): Record<string, string> {
  return {
    PORT: '0',
    MONITORING_PORT: '0',
    DATABASE_URL: stores.databaseUrl,
    NATS_URL: stores.natsUrl,
    CALLER_SECRETS: testCallerSecret,
    CURSOR_KEYS: `1:${randomBytes(32).toString('base64')}`,
    CHECK_RESPONSES: 'true',
    LOG_LEVEL: 'silent',
    DRAIN_MS: '0',
  };
}

/**
 * Opens a new database and a new NATS server for a service. `startReplica` starts the service on them in this process,
 * `emit` publishes events of other services, and `stop` ends all of it.
 */
export async function openServiceStores<Config, Deps extends BaseDeps, App extends BaseApp>(
  { name, readConfig, createApp }: ServiceEntry<Config, Deps, App>,
  options: { database?: TestDatabase } = {},
) {
  const [database, nats] = await Promise.all([options.database ?? createDatabase(name), startNats()]);
  const log = createLogger({ service: name, level: process.env['TEST_LOG'] ?? 'silent' });
  const environment = serviceEnvironment({ databaseUrl: database.url, natsUrl: nats.url });
  const connection = await connectNats({ url: nats.url, name: 'test', log });
  const sql = new pg.Pool({ connectionString: database.url, max: 5, options: '-c TimeZone=UTC' });
  // A test may stop the database.
  sql.on('error', () => undefined);
  const replicas = new Set<Lifecycle>();

  const startReplica = async ({ env = {}, deps = {} }: ReplicaOptions<Deps> = {}) => {
    const lifecycle = createLifecycle({ log, drainMs: Number(env['DRAIN_MS'] ?? 0) });
    replicas.add(lifecycle);
    const config = readConfig({ ...environment, ...env });
    const app = await createApp(config, { log, lifecycle, ...deps } as unknown as Deps);
    const baseUrl = `http://127.0.0.1:${app.port}`;
    return {
      ...app,
      baseUrl,
      monitoringUrl: `http://127.0.0.1:${app.monitoringPort}`,
      /** Calls an operation as the gateway would. */
      call: createOperationClient(baseUrl),
      /** Sends any request with a signed caller. */
      send: (call: ServiceCall) => callService(baseUrl, call),
      stop: async (): Promise<void> => {
        replicas.delete(lifecycle);
        await lifecycle.stop('test');
      },
    };
  };

  return {
    database,
    nats,
    /** The NATS connection of the test, for stubs of RPCs. */
    connection,
    sql,
    log,
    startReplica,
    /** Publishes an event as another service would. */
    emit: async <E extends EventDefinition>(
      event: E,
      aggregateId: string,
      version: number,
      data: EventData<E>,
    ) => {
      const { source, type } = event;
      const time = new Date().toISOString();
      const envelope = { id: randomUUID(), source, type, subject: aggregateId, time, version, data };
      const message = JSON.stringify(envelope);
      await jetstream(connection.connection).publish(`events.${type}`, message, { msgID: envelope.id });
      return envelope;
    },
    stop: async (): Promise<void> => {
      await Promise.all([...replicas].map((lifecycle) => lifecycle.stop('test')));
      await connection.close();
      await sql.end();
      await Promise.all([database.drop(), nats.stop()]);
    },
  };
}

/** Starts one replica of a service with a NATS server, and a new database or the given one. `stop` ends all of it. */
export async function startService<Config, Deps extends BaseDeps, App extends BaseApp>(
  entry: ServiceEntry<Config, Deps, App>,
  { database, ...options }: ReplicaOptions<Deps> & { database?: TestDatabase } = {},
) {
  const stores = await openServiceStores(entry, database === undefined ? {} : { database });
  return { ...(await stores.startReplica(options)), ...stores };
}
