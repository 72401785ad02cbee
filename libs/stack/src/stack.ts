import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rootDir, type StackOptions } from './config.ts';
import { openDataDir, openLogFile, type DataDir } from './data-dir.ts';
import { prepareDatabase, serviceDatabaseUrl } from './database.ts';
import { openDataStores } from './datastores/open-data-stores.ts';
import { dataStoreTitles, type DataServer, type DataStoreId } from './datastores/data-server.ts';
import { StackFailure, messageOf } from './failure.ts';
import { planPorts, type PortPlan } from './port-plan.ts';
import { releaseInstanceLock, takeInstanceLock } from './processes/instance-lock.ts';
import { endRecordedProcesses, forgetProcess } from './processes/process-records.ts';
import { supervise, type Supervised } from './processes/supervisor.ts';
import type { Say } from './progress.ts';
import { readOrCreateSecrets, type Secrets } from './secrets.ts';
import { planServices, simulatedPlatforms, type ServiceProcess } from './services.ts';

const readyTimeoutMs = 180_000;
/** Does nothing unless the environment names a collector. */
const tracing = pathToFileURL(join(rootDir, 'libs/telemetry/src/register.ts')).href;

export type Stack = {
  dataDir: DataDir;
  ports: PortPlan;
  secrets: Secrets;
  urls: Record<DataStoreId, string>;
  baseUrl: string;
  operatorUrl: string;
  simulatorUrl: string;
  /** The processes of the services, by name. */
  services: Map<string, Supervised>;
  /** What each of them runs, so that a test can start another one of the kind. */
  plan: ServiceProcess[];
  stop(): Promise<void>;
};

type Step = { name: string; stop: () => Promise<void> };

/** What was started, to be stopped in reverse; one that cannot be stopped does not keep the others. */
function createStopper(say: Say): { add(step: Step): void; stop(): Promise<void> } {
  const steps: Step[] = [];
  let stopped: Promise<void> | undefined;
  const stopAll = async (): Promise<void> => {
    for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
      const { name } = step;
      await step.stop().catch((error: unknown) => say(`${name} could not be stopped: ${messageOf(error)}`));
    }
  };
  return {
    add: (step) => {
      steps.push(step);
    },
    stop: () => (stopped ??= stopAll()),
  };
}

/** Everything on this machine: data stores, migrations, simulator, services. Fails whole: then nothing is left running. */
export async function startStack(options: StackOptions, say: Say, signal?: AbortSignal): Promise<Stack> {
  const dataDir = openDataDir(options.dataDir);
  const holder = takeInstanceLock(dataDir.lockFile);
  if (holder !== undefined) {
    throw new StackFailure(
      `This stack runs already (process ${holder.takenBy}, data in ${dataDir.path}; ${dataDir.stackFile} says where ` +
        `everything is). Stop it with Ctrl-C there or \`kill ${holder.takenBy}\`, or give this one another --data-dir.`,
    );
  }
  const stopper = createStopper(say);
  stopper.add({ name: 'the lock', stop: async () => releaseInstanceLock(dataDir.lockFile) });
  try {
    return await startAll(options, dataDir, say, { stopper, signal: signal ?? new AbortController().signal });
  } catch (error) {
    await stopper.stop();
    throw error;
  }
}

type Running = { stopper: ReturnType<typeof createStopper>; signal: AbortSignal };

async function startAll(
  options: StackOptions,
  dataDir: DataDir,
  say: Say,
  { stopper, signal }: Running,
): Promise<Stack> {
  const left = await endRecordedProcesses(dataDir.processes, { timeoutMs: 10_000 });
  if (left.length > 0) say(`an earlier start was killed: stopped what it left running (${left.join(', ')})`);
  const secrets = readOrCreateSecrets(dataDir);
  const unused = Object.keys(options.givenUrls) as DataStoreId[];
  const ports = await planPorts({ free: options.freePorts, say, unused });
  signal.throwIfAborted();
  const urls = await openDataStores({
    options,
    dataDir,
    ports,
    superuserPassword: secrets.postgresPassword,
    say,
    onStarted: (server) => stopper.add({ name: server.id, stop: watchDataServer(server, dataDir, say) }),
  });
  signal.throwIfAborted();
  await prepareDatabase(urls.postgres, secrets, say);
  const { environment } = options;
  const databaseUrl = (service: Parameters<typeof serviceDatabaseUrl>[1]): string =>
    serviceDatabaseUrl(urls.postgres, service, secrets);
  const plan = planServices({ secrets, ports, urls, databaseUrl, environment });
  const simulated = simulatedPlatforms(environment);
  say(
    `AI platforms: ${simulated.length === 0 ? 'all real' : `${simulated.join(', ')} simulated (no key given)`}`,
  );
  const services = new Map<string, Supervised>();
  await startServices(plan, { dataDir, say, signal, services, stopper });
  return {
    dataDir,
    ports,
    secrets,
    urls,
    baseUrl: `http://127.0.0.1:${ports.gateway.port}/v1`,
    operatorUrl: `http://127.0.0.1:${ports.operator}/operator/v1`,
    simulatorUrl: `http://127.0.0.1:${ports.simulator}`,
    services,
    plan,
    stop: () => stopper.stop(),
  };
}

/** Reports a data store that ends by itself. Returns a function that stops all of them. */
function watchDataServer(server: DataServer, { processes }: DataDir, say: Say): () => Promise<void> {
  const { process: child } = server;
  let stopping = false;
  void child.exited.then((how) => {
    if (!stopping) say(`${dataStoreTitles[server.id]} ended (${how}); Ctrl-C and start again`);
  });
  return async () => {
    stopping = true;
    await server.stop();
    forgetProcess(processes, child.pid);
  };
}

type Starting = Running & { dataDir: DataDir; say: Say; services: Map<string, Supervised> };

/** All at once: each is ready on its own account. The first that fails ends the start of the others. */
async function startServices(plan: ServiceProcess[], starting: Starting): Promise<void> {
  const { say, signal, services, stopper } = starting;
  say(`starting ${plan.map(({ name }) => name).join(', ')} ...`);
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
  { dataDir, say, signal, services }: Starting,
): Promise<void> {
  const started = performance.now();
  const supervised = await supervise({
    name: service.name,
    command: process.execPath,
    args: ['--conditions=@bv/source', '--import', tracing, join(rootDir, service.script)],
    logFile: openLogFile(dataDir, service.name),
    cwd: rootDir,
    env: service.env,
    ready: () => answersOk(service.readyUrl),
    readyTimeoutMs,
    recordsDir: dataDir.processes,
    say,
    signal,
  });
  services.set(service.name, supervised);
  say(`${service.name} is ready after ${((performance.now() - started) / 1_000).toFixed(1)} s`);
}

async function answersOk(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
