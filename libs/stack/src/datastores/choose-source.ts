import { StackFailure } from '../failure.ts';
import type { Say } from '../progress.ts';
import { canInstallWithApt, installWithApt } from './apt.ts';
import { binarySource, findAllBinaries, missingBinaries } from './binary-source.ts';
import { containerSource, engineAnswers, pullImages } from './container-source.ts';
import { dataStoreTitles, type DataStoreId, type DataStoreSource } from './data-server.ts';

export type SourceOptions = {
  needed: DataStoreId[];
  engines: string[];
  images: Record<DataStoreId, string>;
  environment: NodeJS.ProcessEnv;
  say: Say;
  /** Tests start many servers: as plain processes where the machine has them all. */
  preferBinaries?: boolean;
};

/** A container engine that answers; then binaries on the machine; then, as root on Debian, apt-get. */
export async function chooseSource(options: SourceOptions): Promise<DataStoreSource> {
  if (options.preferBinaries === true) {
    const binaries = await findAllBinaries();
    const { needed } = options;
    if (missingBinaries(binaries, needed).length === 0) return binarySource(binaries, needed);
  }
  for (const engine of options.engines) {
    const source = await tryEngine(engine, options);
    if (source !== undefined) return source;
  }
  return openBinaries(options);
}

/** The source that holds the data of an earlier start; another one could not read it. */
export async function reopenSource(name: string, options: SourceOptions): Promise<DataStoreSource> {
  if (name === 'binaries') return openBinaries(options);
  const source = await tryEngine(name, options);
  if (source !== undefined) return source;
  throw new StackFailure(
    `The data of the last start is kept by containers of ${name}, which does not answer now (\`${name} info\`). ` +
      'Start it, or remove the data directory to start afresh with what this machine has.',
  );
}

async function tryEngine(command: string, options: SourceOptions): Promise<DataStoreSource | undefined> {
  const { needed, images, environment, say } = options;
  const engine = { command, environment };
  if (!(await engineAnswers(engine))) return undefined;
  const missing = await pullImages(
    engine,
    needed.map((id) => images[id]),
    say,
  );
  if (missing === undefined) return containerSource(engine, images, needed);
  say(`${command} answers, but ${missing} could not be pulled: looking further`);
  return undefined;
}

async function openBinaries({ needed, say }: SourceOptions): Promise<DataStoreSource> {
  let binaries = await findAllBinaries();
  let missing = missingBinaries(binaries, needed);
  if (missing.length > 0 && canInstallWithApt() && (await installWithApt(missing, say))) {
    binaries = await findAllBinaries();
    missing = missingBinaries(binaries, needed);
  }
  if (missing.length === 0) return binarySource(binaries, needed);
  throw new StackFailure(howToGet(missing));
}

const installation: Record<DataStoreId, string> = {
  postgres: 'PostgreSQL 15 or later   apt-get install postgresql     brew install postgresql@17',
  redis: 'Redis 7 or later         apt-get install redis-server   brew install redis',
  nats: 'nats-server 2.9.4 or later  apt-get install nats-server    brew install nats-server',
};

function howToGet(missing: DataStoreId[]): string {
  const titles = missing.map((id) => dataStoreTitles[id]).join(', ');
  return [
    `Missing on this machine: ${titles}. One of these helps:`,
    '- start Docker or Podman: the rest happens by itself;',
    '- install, then start again:',
    ...missing.map((id) => `    ${installation[id]}`),
    '- set POSTGRES_URL, REDIS_URL and NATS_URL to servers that run already (NATS with JetStream).',
  ].join('\n');
}
