import { StackFailure } from '../failure.ts';
import type { Reporter } from '../reporter.ts';
import { canInstallWithApt, installWithApt } from './apt.ts';
import { binarySource, findRequiredBinaries, missingBinaries } from './binary-source.ts';
import { containerSource, isEngineRunning, pullImages } from './container-source.ts';
import { dataStoreTitles, type DataStoreId, type DataStoreSource } from './data-server.ts';

export type SourceOptions = {
  required: DataStoreId[];
  engines: string[];
  images: Record<DataStoreId, string>;
  environment: NodeJS.ProcessEnv;
  report: Reporter;
  /** Prefers binaries if the machine has all of them. Tests start many servers, and processes start faster. */
  preferBinaries?: boolean;
};

/** Chooses a running container engine, else binaries on the machine, else (as root on Debian) apt-get. */
export async function chooseSource(options: SourceOptions): Promise<DataStoreSource> {
  if (options.preferBinaries === true) {
    const { required } = options;
    const binaries = await findRequiredBinaries(required);
    if (missingBinaries(binaries, required).length === 0) return binarySource(binaries, required);
  }
  for (const engine of options.engines) {
    const source = await tryEngine(engine, options);
    if (source !== undefined) return source;
  }
  return openBinaries(options);
}

/** Opens the source that holds the data of an earlier start. Another source could not read it. */
export async function reopenSource(name: string, options: SourceOptions): Promise<DataStoreSource> {
  if (name === 'binaries') return openBinaries(options);
  const source = await tryEngine(name, options);
  if (source !== undefined) return source;
  throw new StackFailure(
    `The data of the last start is in containers of ${name}, which does not respond (\`${name} info\`). ` +
      'Start it, or remove the data directory to start with empty data.',
  );
}

async function tryEngine(command: string, options: SourceOptions): Promise<DataStoreSource | undefined> {
  const { required, images, environment, report } = options;
  const engine = { command, environment };
  if (!(await isEngineRunning(engine))) return undefined;
  const missing = await pullImages(
    engine,
    required.map((id) => images[id]),
    report,
  );
  if (missing === undefined) return containerSource(engine, images, required);
  report(`${command} responds, but ${missing} could not be pulled: trying the next source`);
  return undefined;
}

async function openBinaries({ required, report }: SourceOptions): Promise<DataStoreSource> {
  let binaries = await findRequiredBinaries(required);
  let missing = missingBinaries(binaries, required);
  if (missing.length > 0 && canInstallWithApt() && (await installWithApt(missing, report))) {
    binaries = await findRequiredBinaries(required);
    missing = missingBinaries(binaries, required);
  }
  if (missing.length === 0) return binarySource(binaries, required);
  throw new StackFailure(describeInstallation(missing));
}

const installation: Record<DataStoreId, string> = {
  postgres: 'PostgreSQL 15 or later   apt-get install postgresql     brew install postgresql@17',
  redis: 'Redis 7 or later         apt-get install redis-server   brew install redis',
  nats: 'nats-server 2.9.4 or later  apt-get install nats-server    brew install nats-server',
};

function describeInstallation(missing: DataStoreId[]): string {
  const titles = missing.map((id) => dataStoreTitles[id]).join(', ');
  return [
    `Missing on this machine: ${titles}. Do one of the following:`,
    '- start Docker or Podman, then start again;',
    '- install, then start again:',
    ...missing.map((id) => `    ${installation[id]}`),
    '- set POSTGRES_URL, REDIS_URL and NATS_URL to running servers (NATS with JetStream).',
  ].join('\n');
}
