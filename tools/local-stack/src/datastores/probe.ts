import { connect } from 'node:net';
import pg from 'pg';
import { StackFailure } from '../failure.ts';

/** Sends bytes to a local port. Resolves to whether the response starts as expected. */
export async function respondsWith(
  port: number,
  send: string,
  expected: string,
  timeoutMs = 1_000,
): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    let received = '';
    const finish = (result: boolean): void => {
      socket.destroy();
      resolve(result);
    };
    socket.setTimeout(timeoutMs, () => finish(false));
    socket.once('error', () => finish(false));
    socket.once('close', () => finish(false));
    socket.once('connect', () => {
      if (send !== '') socket.write(send);
    });
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      if (received.length >= expected.length) finish(received.startsWith(expected));
    });
  });
}

const wrongCredentials = new Set(['28P01', '28000']);

/** Whether PostgreSQL serves this user. Throws if it rejects the password, since waiting would not help. */
export async function acceptsQueries(url: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 2_000,
    query_timeout: 2_000,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } catch (error) {
    const code = error instanceof pg.DatabaseError ? error.code : undefined;
    if (code !== undefined && wrongCredentials.has(code)) {
      throw new StackFailure(`PostgreSQL rejects the superuser's password: ${(error as Error).message}`);
    }
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
