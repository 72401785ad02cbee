import { once } from 'node:events';
import { chooseSource, dataStoreIds, readStackOptions, type DataStoreId } from '@bv/local-stack';
import { citusSettings, startWorkers } from '../citus.ts';
import { configuredEnvironment, exportEnvironment, type TestEnvironment } from '../environment.ts';
import { createRunDir, removeAbandonedRunDirs, removeRunDir } from '../run-dir.ts';
import { startServer } from '../servers.ts';
import { buildTemplates } from '../templates.ts';

/**
 * The process that runs the data stores of one test run. It writes their URLs to stdout and stops them when its stdin
 * closes, which also happens when jest is killed with -9.
 */
const configured = configuredEnvironment();
await removeAbandonedRunDirs();
const runDir = await createRunDir();
const finished = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => finished.abort());
process.stdin.on('end', () => finished.abort()).resume();

async function open(): Promise<TestEnvironment> {
  const { engines, images, environment: variables } = readStackOptions(process.env);
  const report = (line: string): boolean => process.stderr.write(`${line}\n`);
  const source = await chooseSource({
    required: [...dataStoreIds],
    engines,
    images,
    environment: variables,
    report,
    preferBinaries: true,
  });
  const started = performance.now();
  const usesCitus = process.env['RESULTS_TEST_CITUS'] === '1';
  const settings = usesCitus ? citusSettings : {};
  const url = async (id: DataStoreId, existing: string | undefined): Promise<string> =>
    existing ?? (await startServer(source, id, runDir, id === 'postgres' ? settings : {})).url;
  const [postgresUrl, redisUrl, natsUrl] = await Promise.all([
    url('postgres', configured.postgresUrl),
    url('redis', configured.redisUrl),
    url('nats', configured.natsUrl),
  ]);
  const citusWorkers = usesCitus ? (await startWorkers(source, runDir)).join(' ') : '';
  const environment = { postgresUrl, redisUrl, natsUrl, citusWorkers, source: source.name, runDir };
  exportEnvironment(environment);
  await buildTemplates(runDir);
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  report(`Test data stores: ${source.description}; ready in ${seconds} s`);
  return environment;
}

try {
  const environment = await open();
  process.stdout.write(`${JSON.stringify(environment)}\n`);
  if (!finished.signal.aborted) await once(finished.signal, 'abort');
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await removeRunDir(runDir);
}
process.exit();
