import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Programs } from './programs.ts';

export type Load = {
  requests: number;
  seconds: number;
  p50Ms: number;
  p99Ms: number;
  failed: number;
};

export type LoadOptions = {
  ports: readonly number[];
  path: string;
  keyFile: string;
  seconds: number;
  connections: number;
  /** Delay of a connection between its requests, for less than full load. */
  delayMs?: number;
  /** Uses all keys in order instead of random ones. */
  inTurn?: boolean;
};

type WrkResult = {
  requests: number;
  microseconds: number;
  p50: number;
  p99: number;
  errors: { connect: number; read: number; write: number; status: number; timeout: number };
};

/** Runs wrk against one or more ports, one thread per port. */
export async function runLoad({ wrk, env }: Programs, options: LoadOptions): Promise<Load> {
  const { ports, path, keyFile, seconds, connections, delayMs = 0, inTurn = false } = options;
  const script = fileURLToPath(new URL('wrk.lua', import.meta.url));
  const threads = String(ports.length);
  const args = [
    '-t',
    threads,
    '-c',
    String(connections),
    '-d',
    `${seconds}s`,
    '--timeout',
    '5s',
    '-s',
    script,
  ];
  const child = spawn(wrk, [...args, `http://127.0.0.1:${ports[0]}${path}`], {
    env: {
      ...env,
      KEYS: keyFile,
      PORTS: ports.join(' '),
      DELAY_MS: String(delayMs),
      IN_TURN: String(inTurn),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  const [code] = (await once(child, 'close')) as [number | null];
  const line = /^RESULT (.*)$/m.exec(text)?.[1];
  if (code !== 0 || line === undefined) throw new Error(`wrk ended with ${code}: ${text}`);
  const result = JSON.parse(line) as WrkResult;
  if (result.requests === 0) throw new Error('not one request was answered');
  return {
    requests: result.requests,
    seconds: result.microseconds / 1e6,
    p50Ms: result.p50 / 1_000,
    p99Ms: result.p99 / 1_000,
    failed: Object.values(result.errors).reduce((sum, count) => sum + count, 0),
  };
}
