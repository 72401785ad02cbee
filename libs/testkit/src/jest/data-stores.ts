import { once } from 'node:events';
import { exportEnvironment, givenEnvironment, type TestEnvironment } from '../environment.ts';
import { createRunDir, removeAbandonedRunDirs, removeRunDir } from '../run-dir.ts';
import { startServer } from '../servers.ts';
import { buildTemplates } from '../templates.ts';

/**
 * The process that holds the data stores of one test run. It tells on stdout where they are and ends them
 * when its stdin closes, which also happens when jest is killed with -9.
 */
const given = givenEnvironment();
await removeAbandonedRunDirs();
const runDir = await createRunDir();
const finished = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => finished.abort());
process.stdin.on('end', () => finished.abort()).resume();

async function open(): Promise<TestEnvironment> {
  const url = async (id: 'postgres' | 'redis' | 'nats', existing: string | undefined): Promise<string> =>
    existing ?? (await startServer(id, runDir)).url;
  const [postgresUrl, redisUrl, natsUrl] = await Promise.all([
    url('postgres', given.postgresUrl),
    url('redis', given.redisUrl),
    url('nats', given.natsUrl),
  ]);
  exportEnvironment({ postgresUrl, redisUrl, natsUrl, runDir });
  await buildTemplates(postgresUrl, runDir);
  return { postgresUrl, redisUrl, natsUrl, runDir };
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
