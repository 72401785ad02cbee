import { connect } from 'node:net';
import { StackFailure } from '../failure.ts';
import { waitUntil } from '../processes/wait-until.ts';
import { dataStoreTitles, type DataStoreId } from './data-server.ts';
import { acceptsQueries } from './probe.ts';

const usualPorts: Record<DataStoreId, number> = { postgres: 5432, redis: 6379, nats: 4222 };
const timeoutMs = 10_000;

export function withoutPassword(url: string): string {
  return url.replace(/(\/\/[^:@/]*):[^@/]*@/, '$1:***@');
}

async function accepts(hostname: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port, timeout: 2_000 });
    const finish = (result: boolean): void => {
      socket.destroy();
      resolve(result);
    };
    socket.once('connect', () => finish(true));
    socket.once('timeout', () => finish(false));
    socket.once('error', () => finish(false));
  });
}

/** A URL somebody set must work: going on with another data store would hide the mistake. */
export async function checkGivenUrl(id: DataStoreId, url: string): Promise<void> {
  const name = `${id.toUpperCase()}_URL`;
  if (!URL.canParse(url)) throw new StackFailure(`${name} is not a URL: ${withoutPassword(url)}`);
  const { hostname, port } = new URL(url);
  const answers = async (): Promise<boolean> =>
    id === 'postgres'
      ? acceptsQueries(url)
      : accepts(hostname.replace(/^\[|\]$/g, ''), Number(port) || usualPorts[id]);
  if (await waitUntil(answers, { timeoutMs, intervalMs: 250 })) return;
  throw new StackFailure(
    `${dataStoreTitles[id]} at ${withoutPassword(url)} (${name}) did not answer within ${timeoutMs / 1_000} s`,
  );
}
