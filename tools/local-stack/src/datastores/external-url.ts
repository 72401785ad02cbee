import { connect } from 'node:net';
import { natsUrls, postgresUrl, redisUrl } from '@bv/settings';
import { StackFailure } from '../failure.ts';
import { waitUntil } from '../processes/wait-until.ts';
import { dataStoreTitles, type DataStoreId } from './data-server.ts';
import { acceptsQueries } from './probe.ts';

const usualPorts: Record<DataStoreId, number> = { postgres: 5432, redis: 6379, nats: 4222 };
const timeoutMs = 10_000;

const settings = {
  postgres: postgresUrl('PostgreSQL to use instead of starting one.'),
  redis: redisUrl('Redis to use instead of starting one.'),
  nats: natsUrls('NATS to use instead of starting one.'),
};

/** Removes user name and password: a user name without a password can be a token. */
export function withoutCredentials(url: string): string {
  return url.replace(/\/\/[^@/?#]*@/g, '//');
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

/** Throws unless the configured data store works. Using another one instead would hide the mistake. */
export async function checkExternalUrl(id: DataStoreId, url: string): Promise<void> {
  const name = `${id.toUpperCase()}_URL`;
  const checked = settings[id].safeParse(url);
  if (!checked.success) {
    throw new StackFailure(`${name}: ${checked.error.issues.map(({ message }) => message).join('; ')}`);
  }
  const [first = ''] = checked.data.split(',');
  const { hostname, port } = URL.parse(first) ?? { hostname: '', port: '' };
  const responds = async (): Promise<boolean> =>
    id === 'postgres'
      ? acceptsQueries(url)
      : accepts(hostname.replace(/^\[|\]$/g, ''), Number(port) || usualPorts[id]);
  if (await waitUntil(responds, { timeoutMs, intervalMs: 250 })) return;
  throw new StackFailure(
    `${dataStoreTitles[id]} at ${withoutCredentials(url)} (${name}) did not respond within ${timeoutMs / 1_000} s`,
  );
}
