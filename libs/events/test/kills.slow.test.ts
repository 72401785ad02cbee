import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { transaction } from '@bv/postgres';
import { eventually, startNats, type TestServer } from '@bv/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { brandChanged, publishEvent } from '../src/index.ts';
import { brandData, openDatabase, type TestDatabase } from './service.ts';

const writers = 4;
const eventsEach = 1_250;
const perTransaction = 5;
const kills = 20;

let server: TestServer;
let db: TestDatabase;
const running = new Set<ChildProcess>();
let stopping = false;

beforeAll(async () => {
  server = await startNats();
  db = await openDatabase();
  await db.pool.query('create table effects (id uuid primary key, times int not null)');
});
afterAll(async () => {
  stopping = true;
  await Promise.all([...running].map(kill));
  await db.drop();
  await server.stop();
});

/** Restarts the process whenever it ends, as a supervisor does. */
function keepRunning(script: string): { current: ChildProcess } {
  const kept = { current: undefined as unknown as ChildProcess };
  const file = fileURLToPath(new URL(script, import.meta.url));
  const start = (): void => {
    const child = spawn(process.execPath, ['--conditions=@bv/source', file, db.url, server.url], {
      stdio: 'ignore',
    });
    kept.current = child;
    running.add(child);
    child.once('exit', () => {
      running.delete(child);
      if (!stopping) start();
    });
  };
  start();
  return kept;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

/** Every fifth transaction is given up after it has published. */
async function write(committed: string[]): Promise<void> {
  for (let written = 0, run = 1; written < eventsEach; run += 1) {
    const ids = Array.from({ length: perTransaction }, () => randomUUID());
    const given = run % 5 === 0;
    const work = transaction(db.pool, async (tx) => {
      for (const id of ids) {
        await publishEvent(tx, brandChanged, { aggregateId: id, version: 1, data: brandData({ id }) });
      }
      if (given) throw new Error('given up');
    });
    await work.then(
      () => {
        committed.push(...ids);
        written += ids.length;
      },
      (error: Error) => expect(error.message).toBe('given up'),
    );
    await sleep(25);
  }
}

test('5,000 events of four writers while relays, a consumer and NATS are killed 20 times: each has its effect once, none that was rolled back has', async () => {
  const relays = [keepRunning('relay-process.ts'), keepRunning('relay-process.ts')];
  const consumer = keepRunning('consumer-process.ts');
  const committed: string[] = [];
  const writing = Promise.all(Array.from({ length: writers }, () => write(committed)));
  for (let round = 0; round < kills; round += 1) {
    await sleep(300 + (round % 4) * 150);
    if (round % 4 === 3) {
      await server.kill();
      await sleep(200);
      await server.start();
    } else {
      const victim = round % 4 === 2 ? consumer : relays[round % 4];
      if (victim) await kill(victim.current);
    }
  }
  await writing;
  expect(committed).toHaveLength(writers * eventsEach);
  await eventually(
    async () => {
      const { rows } = await db.pool.query('select count(*)::int as n from effects');
      expect(rows[0].n).toBeGreaterThanOrEqual(committed.length);
    },
    { timeoutMs: 180_000, intervalMs: 100 },
  );
  const { rows } = await db.pool.query<{ id: string; times: number }>('select id, times from effects');
  expect(new Set(rows.map(({ id }) => id))).toEqual(new Set(committed));
  expect(rows.filter(({ times }) => times !== 1)).toEqual([]);
}, 420_000);
