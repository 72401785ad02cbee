import { randomBytes, randomUUID } from 'node:crypto';
import { createLifecycle } from '@bv/lifecycle';
import { createLogger } from '@bv/telemetry';
import { createDatabase, redisUrl, registerStub, serviceEnvironment, startNats } from '@bv/testkit';
import type { MintedApiKey, Partner, PartnerLink } from '@bv/contract';
import pg from 'pg';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { send, type ClientResponse, type Sent } from './client.ts';
import { startGatewayProcess, type GatewayProcess } from './gateway-process.ts';
import { startUpstream, type TestUpstream } from './upstream.ts';

export const operatorToken = 'test-operator-token';

type Options = {
  /** Gateways over the same stores. */
  count?: number;
  env?: Record<string, string>;
  redis?: string;
  /** Starts each in a separate process. */
  processes?: boolean;
};

export type TestGateway = Awaited<ReturnType<typeof startGateway>>;

const secret = (): string => `1:${randomBytes(32).toString('base64')}`;

/** Gateways with the production code, real stores of this test file, and stubs of the services. */
export async function startGateway({
  count = 1,
  env = {},
  redis = redisUrl(),
  processes = false,
}: Options = {}) {
  const [database, nats, upstream] = await Promise.all([
    createDatabase('gateway'),
    startNats(),
    startUpstream(),
  ]);
  const settings: Record<string, string> = {
    ...serviceEnvironment({ databaseUrl: database.url, natsUrl: nats.url }),
    OPERATOR_PORT: '0',
    OPERATOR_TOKEN: operatorToken,
    REDIS_URL: redis,
    CATALOG_URL: upstream.url,
    RESULTS_URL: upstream.url,
    SCANS_URL: upstream.url,
    WEBHOOKS_URL: upstream.url,
    KEY_PEPPERS: secret(),
    IDEMPOTENCY_KEYS: secret(),
    TRUSTED_PROXY_COUNT: '1',
    LOG_LEVEL: process.env['TEST_LOG'] ?? 'silent',
    // Gateway, stubs and clients share a process here, so replies are read more slowly than in production.
    ...(processes ? {} : { REDIS_TIMEOUT_MS: '1000' }),
    ...env,
  };
  const start = (): Promise<GatewayProcess> =>
    processes ? startGatewayProcess(settings) : startInProcess(settings);
  const gateways = await Promise.all(Array.from({ length: count }, start));
  registerStub(upstream.url);
  const [first] = gateways;
  if (first === undefined) throw new Error('no gateway');
  const sql = new pg.Pool({ connectionString: database.url, max: 3 });
  sql.on('error', () => undefined);
  return {
    ...createClient(first, sql),
    gateways,
    settings,
    sql,
    upstream,
    nats,
    stop: async () => {
      await Promise.all(gateways.map((each) => each.stop()));
      await sql.end();
      await upstream.close();
      await nats.stop();
      await database.drop();
    },
  };
}

async function startInProcess(settings: Record<string, string>): Promise<GatewayProcess> {
  const config = readConfig(settings);
  const log = createLogger({ service: 'gateway', level: config.LOG_LEVEL });
  const lifecycle = createLifecycle({ log, drainMs: 0 });
  const ports = await createApp(config, { log, lifecycle });
  registerStub(`http://127.0.0.1:${ports.port}`, 'data');
  const never = (): Promise<never> => Promise.reject(new Error('this gateway is no process of its own'));
  return { ...ports, kill: never, start: never, ended: never, stop: () => lifecycle.stop('test over') };
}

/** Every test uses its own client address for failed attempts. */
function freshAddress(): string {
  return [...randomBytes(3)].reduce((address, byte) => `${address}.${byte}`, '10');
}

function createClient({ port, operatorPort }: { port: number; operatorPort: number }, sql: pg.Pool) {
  const address = freshAddress();
  const call = <Data = Record<string, unknown>>(sent: Sent, at = port): Promise<ClientResponse<Data>> =>
    send<Data>(at, { ...sent, headers: { 'x-forwarded-for': address, ...sent.headers } });
  const operator = <Data = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<ClientResponse<Data>> =>
    send<Data>(operatorPort, {
      method,
      path: `/operator/v1${path}`,
      headers: { authorization: `Bearer ${operatorToken}` },
      ...(body === undefined ? {} : { body }),
    });
  const expectOk = async <Data>(response: Promise<ClientResponse<Data>>): Promise<Data> => {
    const { status, body } = await response;
    if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
    return body.data;
  };
  const createOrg = async ({ apiAccess = true } = {}): Promise<string> => {
    const id = randomUUID();
    await sql.query(
      `insert into org_access (org_id, name, tier, api_access, version, created_at, updated_at)
       values ($1, 'Acme', 'growth', $2, 1, now(), now())`,
      [id, apiAccess],
    );
    return id;
  };
  const key = { scopes: ['read', 'write'], per_minute: 100_000 };
  const createOrgKey = async (orgId: string, input: object = {}) =>
    expectOk(operator<MintedApiKey>('POST', `/orgs/${orgId}/keys`, { ...key, ...input }));
  const createPartnerKey = async (partnerId: string, input: object = {}) =>
    expectOk(operator<MintedApiKey>('POST', `/partners/${partnerId}/keys`, { ...key, ...input }));
  const createPartner = async (): Promise<string> =>
    (await expectOk(operator<Partner>('POST', '/partners', { name: 'Reseller' }))).id;
  const link = (partnerId: string, orgId: string, scope = 'read_write', external_ref?: string) =>
    expectOk(operator<PartnerLink>('PUT', `/partners/${partnerId}/links/${orgId}`, { scope, external_ref }));
  return {
    port,
    operatorPort,
    address,
    call,
    operator,
    createOrg,
    createOrgKey,
    createPartnerKey,
    createPartner,
    link,
    /** The operator API refuses an expiry in the past. */
    expireKey: (keyId: string) =>
      sql.query(`update api_keys set expires_at = now() - interval '1 second' where id = $1`, [keyId]),
    /** An organisation with a key. */
    customer: async (input: object = {}, org: { apiAccess?: boolean } = {}) => {
      const orgId = await createOrg(org);
      const minted = await createOrgKey(orgId, input);
      return { orgId, key: minted.key, keyId: minted.id };
    },
    /** A partner with a key and one linked organisation. */
    reseller: async (input: object = {}, scope = 'read_write') => {
      const orgId = await createOrg();
      const partnerId = await createPartner();
      const minted = await createPartnerKey(partnerId, input);
      await link(partnerId, orgId, scope);
      return { orgId, partnerId, key: minted.key, keyId: minted.id };
    },
  };
}

export type { TestUpstream };
