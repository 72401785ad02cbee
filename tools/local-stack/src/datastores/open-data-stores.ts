import { createHash } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { chmod, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { StackOptions } from '../config.ts';
import { openLogFile, readJsonFile, writeJsonFile, type DataDir } from '../data-dir.ts';
import type { PortPlan } from '../port-plan.ts';
import { recordProcess } from '../processes/process-records.ts';
import type { Reporter } from '../reporter.ts';
import { chooseSource, reopenSource } from './choose-source.ts';
import {
  dataStoreIds,
  dataStoreTitles,
  type DataServer,
  type DataStoreId,
  type DataStoreSource,
} from './data-server.ts';
import { checkExternalUrl, withoutCredentials } from './external-url.ts';
import { isReachableBy, postgresIdentity } from './run-as.ts';

/** The stored choice of a source. `postgresDir` is set if PostgreSQL's data is outside the data directory. */
type Choice = { source: string; postgresDir?: string };

export type OpenOptions = {
  options: StackOptions;
  dataDir: DataDir;
  ports: PortPlan;
  superuserPassword: string;
  report: Reporter;
  /** Called for each server as soon as it runs, so that it is stopped even if the next one fails. */
  onStarted: (server: DataServer) => void;
};

export async function openDataStores(open: OpenOptions): Promise<Record<DataStoreId, string>> {
  const { options, report } = open;
  const urls: Partial<Record<DataStoreId, string>> = {};
  for (const id of dataStoreIds) {
    const url = options.externalUrls[id];
    if (url === undefined) continue;
    await checkExternalUrl(id, url);
    report(`data store: ${dataStoreTitles[id]} at ${withoutCredentials(url)}, as configured`);
    urls[id] = url;
  }
  const required = dataStoreIds.filter((id) => urls[id] === undefined);
  if (required.length > 0) Object.assign(urls, await startOwn(open, required));
  return urls as Record<DataStoreId, string>;
}

async function startOwn(
  open: OpenOptions,
  required: DataStoreId[],
): Promise<Partial<Record<DataStoreId, string>>> {
  const { options, dataDir, report } = open;
  const { images, engines, environment } = options;
  const recorded = readJsonFile<Choice>(dataDir.choiceFile);
  const sourceOptions = { required, engines, images, environment, report };
  const source =
    recorded === undefined
      ? await chooseSource(sourceOptions)
      : await reopenSource(recorded.source, sourceOptions);
  report(`data stores: ${source.description}${recorded === undefined ? '' : ', as before'}`);
  const postgresDir = required.includes('postgres')
    ? await choosePostgresDir(dataDir, source, recorded?.postgresDir, report)
    : recorded?.postgresDir;
  const choice: Choice = { source: source.name, ...(postgresDir === undefined ? {} : { postgresDir }) };
  writeJsonFile(dataDir.choiceFile, choice);
  const started = await Promise.allSettled(
    required.map((id) =>
      startOne(open, source, id, (id === 'postgres' ? postgresDir : undefined) ?? join(dataDir.path, id)),
    ),
  );
  for (const result of started) if (result.status === 'rejected') throw result.reason;
  return Object.fromEntries(
    started.flatMap((result) => (result.status === 'fulfilled' ? [[result.value.id, result.value.url]] : [])),
  );
}

async function startOne(
  { ports, superuserPassword, dataDir, report, onStarted }: OpenOptions,
  source: DataStoreSource,
  id: DataStoreId,
  dir: string,
): Promise<DataServer> {
  const server = await source.start(id, {
    dir,
    port: ports[id],
    logFile: openLogFile(dataDir, id),
    durable: true,
    ...(id === 'postgres' ? { password: superuserPassword } : {}),
    onStarted: (pid, stopSignal) =>
      recordProcess(dataDir.processes, { name: id, pid, stopSignal, foundation: true }),
  });
  onStarted(server);
  report(`${dataStoreTitles[id]} is ready on 127.0.0.1:${server.port}`);
  return server;
}

/** PostgreSQL cannot run as root. Its user must be able to traverse every directory above its data. */
async function choosePostgresDir(
  dataDir: DataDir,
  source: DataStoreSource,
  recorded: string | undefined,
  report: Reporter,
): Promise<string | undefined> {
  if (recorded !== undefined) {
    if (!existsSync(recorded))
      report(`the database in ${recorded} no longer exists: starting with an empty one`);
    await openParent(recorded);
    return recorded;
  }
  const inside = join(dataDir.path, 'postgres');
  const hasData = (await readdir(inside).catch(() => [])).length > 0;
  if (hasData || source.name !== 'binaries') return undefined;
  if (await isReachableBy(await postgresIdentity(), inside)) return undefined;
  const id = createHash('sha256').update(dataDir.path).digest('hex').slice(0, 12);
  const outside = join('/var/tmp', `brand-visibility-${id}`, 'postgres');
  report(`PostgreSQL's user cannot reach ${dataDir.path}: its data goes to ${outside}`);
  await openParent(outside);
  return outside;
}

async function openParent(dir: string): Promise<void> {
  mkdirSync(dirname(dir), { recursive: true });
  if (basename(dirname(dir)).startsWith('brand-visibility-')) await chmod(dirname(dir), 0o711);
}
