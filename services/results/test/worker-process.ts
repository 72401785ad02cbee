import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from '@jest/globals';
import { childEnvironment, serviceEnvironment, waitUntilLocked } from '@bv/testkit';
import pg from 'pg';
import type { Results } from './results.ts';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

export type WorkerProcess = {
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
  /** Resolves when the process has ended by itself. */
  ended: Promise<void>;
  /** Ends the process, by default as `kill -9`. */
  end(name?: 'SIGKILL' | 'SIGTERM'): Promise<void>;
  /** Waits until the process is killed, such as at a failpoint. */
  killed(): Promise<void>;
};

/** Starts another process of the service, whose worker runs reprocess jobs with short leases. */
export function startWorkerProcess(
  { database, nats }: Pick<Results, 'database' | 'nats'>,
  settings: Record<string, string> = {},
): WorkerProcess {
  const env = {
    ...serviceEnvironment({ databaseUrl: database.url, natsUrl: nats.url }),
    ...childEnvironment(),
    REPROCESS_SHARE_PERCENT: '100',
    REPROCESS_LEASE_MS: '500',
    LOG_LEVEL: process.env['TEST_LOG'] ?? 'silent',
    ...settings,
  };
  const child: ChildProcess = spawn(process.execPath, ['--conditions=@bv/source', main], {
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  // However the test run ends, the process does not outlive it.
  const kill = (): boolean => child.kill('SIGKILL');
  process.once('exit', kill);
  const exited = once(child, 'exit').finally(() => process.off('exit', kill));
  const ended = exited.then(() => undefined);
  return {
    ended,
    signal: (name) => {
      child.kill(name);
    },
    end: async (name = 'SIGKILL') => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill(name);
      await ended;
    },
    killed: async () => {
      const [, signal] = await exited;
      expect(signal).toBe('SIGKILL');
    },
  };
}

/** A lock of the test that stops a worker at a statement. */
export type Barrier = {
  /** Waits until a statement with this text waits for a lock. */
  reached(text: string): Promise<void>;
  release(): Promise<void>;
};

/** Locks what a statement locks, so that a worker waits there. */
export async function lockBy(results: Results, statement: string, values: unknown[] = []): Promise<Barrier> {
  const client = new pg.Client({ connectionString: results.database.url });
  // The database is dropped at the end of a failed test.
  client.on('error', () => undefined);
  await client.connect();
  await client.query('begin');
  await client.query(statement, values);
  let isReleased = false;
  return {
    reached: (text) => waitUntilLocked(results.sql, text),
    release: async () => {
      if (!isReleased) await client.end();
      isReleased = true;
    },
  };
}
