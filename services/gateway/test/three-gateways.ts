import { eventually, startRedis, type TestServer } from '@bv/testkit';
import { Redis } from 'ioredis';
import type { ClientResponse } from './client.ts';
import { startGateway, type TestGateway } from './gateway.ts';

export const countStatus = (responses: ClientResponse[], status: number): number =>
  responses.filter((response) => response.status === status).length;

export const getCodes = (responses: ClientResponse[]): string[] => [
  ...new Set(responses.map(({ body }) => body?.error?.code ?? 'ok')),
];

/** Three gateways in front of one Redis that a test may stop, pause or empty. */
export class ThreeGateways {
  readonly redis: TestServer;
  readonly gateway: TestGateway;

  private constructor(redis: TestServer, gateway: TestGateway) {
    this.redis = redis;
    this.gateway = gateway;
  }

  static async start(): Promise<ThreeGateways> {
    const redis = await startRedis();
    const env = { REDIS_TIMEOUT_MS: '1000' };
    return new ThreeGateways(redis, await startGateway({ count: 3, processes: true, redis: redis.url, env }));
  }

  async stop(): Promise<void> {
    await this.gateway.stop();
    await this.redis.stop();
  }

  /** Lists organisations by one of the gateways. */
  list(at: number, key: string): Promise<ClientResponse> {
    return this.gateway.call({ path: '/v1/orgs', key }, this.getPort(at));
  }

  getPort(index: number): number {
    return this.gateway.gateways[index % 3]?.port ?? 0;
  }

  sendMany(count: number, key: string): Promise<ClientResponse[]> {
    return Promise.all(Array.from({ length: count }, (_, index) => this.list(index, key)));
  }

  async withRedis(use: (client: Redis) => Promise<unknown>): Promise<void> {
    const client = new Redis(this.redis.url);
    await use(client);
    client.disconnect();
  }

  /** Waits until all three gateways serve. Returns the number of served requests. */
  async untilServed(key: string): Promise<number> {
    let served = 0;
    for (let attempt = 0; attempt < 100; attempt += 1) {
      const statuses = await Promise.all([0, 1, 2].map(async (at) => (await this.list(at, key)).status));
      served += statuses.filter((status) => status === 200).length;
      if (statuses.every((status) => status === 200)) return served;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error('the gateways do not serve again');
  }

  /** Waits for the counters of a Redis that was emptied: what is refused meanwhile is not served. */
  served(at: number, key: string): Promise<ClientResponse> {
    return eventually(
      async () => {
        const response = await this.list(at, key);
        if (response.status === 503) throw new Error(`503 ${response.body.error.code}`);
        return response;
      },
      { timeoutMs: 20_000 },
    );
  }
}
