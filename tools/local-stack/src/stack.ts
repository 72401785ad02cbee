import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rootDir, type StackOptions } from './config.ts';
import { openDataDir, openLogFile, type DataDir } from './data-dir.ts';
import { prepareDatabase, serviceDatabaseUrl } from './database.ts';
import { openDataStores } from './datastores/open-data-stores.ts';
import { dataStoreTitles, type DataServer, type DataStoreId } from './datastores/data-server.ts';
import { StackFailure, toErrorMessage } from './failure.ts';
import { planPorts, type PortPlan } from './port-plan.ts';
import { releaseInstanceLock, acquireInstanceLock } from './processes/instance-lock.ts';
import { endRecordedProcesses, forgetProcess } from './processes/process-records.ts';
import { supervise, type Supervised } from './processes/supervisor.ts';
import type { Reporter } from './reporter.ts';
import { readOrCreateSecrets, type Secrets } from './secrets.ts';
import { isAllSimulated, planServices, simulatedPlatforms, type ServiceProcess } from './services.ts';

const readyTimeoutMs = 180_000;
/** Has no effect unless the environment configures a trace collector. */
const tracing = pathToFileURL(join(rootDir, 'libs/telemetry/src/register.ts')).href;

export type Stack = {
  dataDir: DataDir;
  ports: PortPlan;
  secrets: Secrets;
  urls: Record<DataStoreId, string>;
  baseUrl: string;
  operatorUrl: string;
  simulatorUrl: string;
  /** Whether no platform is real. */
  isAllSimulated: boolean;
  /** The processes of the services, by name. */
  services: Map<string, Supervised>;
  /** Script and environment of each, so that a test can start another replica. */
  plan: ServiceProcess[];
  stop(): Promise<void>;
};

type Step = { name: string; stop: () => Promise<void> };

/** Stops what was started, in reverse order. A failure to stop one does not prevent the others from stopping. */
function createStopper(report: Reporter): { add(step: Step): void; stop(): Promise<void> } {
  const steps: Step[] = [];
  let stopped: Promise<void> | undefined;
  const stopAll = async (): Promise<void> => {
    for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
      const { name } = step;
      await step
        .stop()
        .catch((error: unknown) => report(`${name} could not be stopped: ${toErrorMessage(error)}`));
    }
  };
  return {
    add: (step) => {
      steps.push(step);
    },
    stop: () => (stopped ??= stopAll()),
  };
}

/** Starts data stores, migrations, simulator and services on this machine. After a failure nothing is left running. */
export async function startStack(
  options: StackOptions,
  report: Reporter,
  signal?: AbortSignal,
): Promise<Stack> {
  const dataDir = openDataDir(options.dataDir);
  const holder = acquireInstanceLock(dataDir.lockFile);
  if (holder !== undefined) {
    throw new StackFailure(
      `This stack runs already (process ${holder.heldBy}, data in ${dataDir.path}, URLs in ${dataDir.stackFile}). ` +
        `Stop it with Ctrl-C or \`kill ${holder.heldBy}\`, or use another --data-dir.`,
    );
  }
  const stopper = createStopper(report);
  stopper.add({ name: 'the lock', stop: async () => releaseInstanceLock(dataDir.lockFile) });
  try {
    return await startAll(options, dataDir, report, {
      stopper,
      signal: signal ?? new AbortController().signal,
    });
  } catch (error) {
    await stopper.stop();
    throw error;
  }
}

type Running = { stopper: ReturnType<typeof createStopper>; signal: AbortSignal };

async function startAll(
  options: StackOptions,
  dataDir: DataDir,
  report: Reporter,
  { stopper, signal }: Running,
): Promise<Stack> {
  const leftovers = await endRecordedProcesses(dataDir.processes, { timeoutMs: 10_000 });
  if (leftovers.length > 0) {
    report(`an earlier start was killed: stopped its processes (${leftovers.join(', ')})`);
  }
  const secrets = readOrCreateSecrets(dataDir);
  const unused = Object.keys(options.externalUrls) as DataStoreId[];
  const ports = await planPorts({ free: options.freePorts, report, unused });
  signal.throwIfAborted();
  const urls = await openDataStores({
    options,
    dataDir,
    ports,
    superuserPassword: secrets.postgresPassword,
    report,
    onStarted: (server) => stopper.add({ name: server.id, stop: watchDataServer(server, dataDir, report) }),
  });
  signal.throwIfAborted();
  await prepareDatabase(urls.postgres, secrets, report);
  const { environment } = options;
  const databaseUrl = (service: Parameters<typeof serviceDatabaseUrl>[1]): string =>
    serviceDatabaseUrl(urls.postgres, service, secrets);
  const plan = planServices({ secrets, ports, urls, databaseUrl, environment });
  const simulated = simulatedPlatforms(environment);
  report(
    `AI platforms: ${simulated.length === 0 ? 'all real' : `${simulated.join(', ')} simulated (no API key)`}`,
  );
  const services = new Map<string, Supervised>();
  await startServices(plan, { dataDir, report, signal, services, stopper });
  return {
    dataDir,
    ports,
    secrets,
    urls,
    baseUrl: `http://127.0.0.1:${ports.gateway.port}/v1`,
    operatorUrl: `http://127.0.0.1:${ports.operator}/operator/v1`,
    simulatorUrl: `http://127.0.0.1:${ports.simulator}`,
    isAllSimulated: isAllSimulated(environment),
    services,
    plan,
    stop: () => stopper.stop(),
  };
}

/** Reports a data store that ends by itself. Returns a function that stops it. */
function watchDataServer(server: DataServer, { processes }: DataDir, report: Reporter): () => Promise<void> {
  const { process: child } = server;
  let stopping = false;
  void child.exited.then((how) => {
    if (!stopping) report(`${dataStoreTitles[server.id]} ended (${how}). Stop with Ctrl-C and start again`);
  });
  return async () => {
    stopping = true;
    await server.stop();
    forgetProcess(processes, child.pid);
  };
}

type StartContext = Running & { dataDir: DataDir; report: Reporter; services: Map<string, Supervised> };

/** Starts all services concurrently. The first failure aborts the start of the others. */
async function startServices(plan: ServiceProcess[], starting: StartContext): Promise<void> {
  const { report, signal, services, stopper } = starting;
  report(`starting ${plan.map(({ name }) => name).join(', ')} ...`);
  stopper.add({
    name: 'the services',
    stop: async () => {
      await Promise.all([...services.values()].map((service) => service.stop()));
    },
  });
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  await Promise.allSettled(
    plan.map((service) =>
      startService(service, { ...starting, signal: either }).catch((error: unknown) => failed.abort(error)),
    ),
  );
  either.throwIfAborted();
}

async function startService(
  service: ServiceProcess,
  { dataDir, report, signal, services }: StartContext,
): Promise<void> {
  const started = performance.now();
  const supervised = await supervise({
    name: service.name,
    command: process.execPath,
    args: ['--conditions=@bv/source', '--import', tracing, join(rootDir, service.script)],
    logFile: openLogFile(dataDir, service.name),
    cwd: rootDir,
    env: service.env,
    ready: () => respondsOk(service.readyUrl),
    readyTimeoutMs,
    recordsDir: dataDir.processes,
    report,
    signal,
  });
  services.set(service.name, supervised);
  report(`${service.name} is ready after ${((performance.now() - started) / 1_000).toFixed(1)} s`);
}

async function respondsOk(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
