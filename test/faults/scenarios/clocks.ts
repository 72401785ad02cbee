import { randomUUID } from 'node:crypto';
import { checkAllowance, checkDisagreement, checkPages, type LimitedResponse } from '../checkers/clocks.ts';
import {
  createBrand,
  createCustomer,
  expectStatus,
  request,
  type ApiResponse,
  type CallOptions,
} from '../harness/client.ts';
import { createClock, type Clock } from '../harness/clock.ts';
import { startReplica, type Replica } from '../harness/replica.ts';
import type { Context, Outcome, Scenario } from '../harness/scenario.ts';
import { createFixture } from '../harness/fixture.ts';

const allowance = 60;
const requests = 200;
/** Longer than any window, so that a window that moved with the clock would be empty. */
const jumpMs = 800 * 86_400_000;
/** With one gateway ahead and one behind by this much, one of them is always in another minute. */
const wrongMs = 50_000;
/** The caller header is valid for the upstream timeout. It must exceed the clock error in the test of the limiter. */
const longTimeouts = { UPSTREAM_TIMEOUT_MS: '60000' };

type Call = (method: string, path: string, options?: CallOptions) => Promise<ApiResponse>;
const createCall =
  ({ port }: Replica): Call =>
  (method, path, options) =>
    request(`http://127.0.0.1:${port}/v1${path}`, method, options);

/** Three gateways (ahead, behind, correct) share one allowance while two of the clocks jump. */
async function shareAllowance({ system }: Context, gateways: Call[], clocks: Clock[]): Promise<string[]> {
  const { key } = await createCustomer(system, { key: { per_minute: allowance } });
  const [ahead, behind] = clocks;
  await Promise.all([ahead?.set(wrongMs), behind?.set(-wrongMs)]);
  const responses: LimitedResponse[] = [];
  const send = async (call: Call): Promise<void> => {
    const { status, headers, body } = await call('GET', '/orgs', { key });
    const wait = headers.get('retry-after');
    responses.push({
      atMs: Date.now(),
      status,
      code: body?.error?.code ?? null,
      reset: Number(headers.get('x-ratelimit-reset')),
      retryAfter: wait === null ? null : Number(wait),
    });
  };
  const clients = gateways.map(async (call) => {
    for (let count = 0; count < requests / gateways.length; count += 1) await send(call);
  });
  await Promise.all([...clients, ahead?.set(-wrongMs), behind?.set(wrongMs)]);
  await Promise.all(clocks.map((clock) => clock.set(0)));
  return checkAllowance(responses, allowance);
}

/** Reads the second half of a list after the clocks of gateway and results jump two years ahead. */
async function pageOverYears(context: Context, call: Call, clock: Clock): Promise<string[]> {
  const { victim, receiver } = await createFixture(
    context.system,
    `clock${context.random.between(1, 999_999)}`,
  );
  const { customer, ids } = victim;
  const path = `/orgs/${customer.orgId}/brands/${ids['brandId']}/mentions`;
  const page = (query: string) => expectStatus(200, call('GET', `${path}?${query}`, customer));
  const toRows = ({ body }: ApiResponse): string[] => body.data.map((row: unknown) => JSON.stringify(row));
  const all = toRows(await page('limit=1000'));
  const paged: string[] = [];
  for (let query: string | undefined = 'limit=1'; query !== undefined;) {
    const response: ApiResponse = await page(query);
    paged.push(...toRows(response));
    const { next_cursor: next } = response.body.pagination;
    query = next === null ? undefined : `limit=1&cursor=${next}`;
    if (paged.length === Math.ceil(all.length / 2)) await clock.set(jumpMs);
  }
  await clock.set(0);
  await receiver.close();
  return checkPages(paged, all);
}

/** A service one hour ahead of the gateway rejects the caller header as expired. The write must have no effect. */
async function callWithSkewedService(
  { system, random }: Context,
  call: Call,
  clock: Clock,
): Promise<string[]> {
  const customer = await createCustomer(system);
  const { key, orgId } = customer;
  const { brandId } = await createBrand(system, customer, { name: `Hour ${random.between(1, 999_999)}` });
  const path = `/orgs/${orgId}/brands/${brandId}/prompts`;
  const list = `/orgs/${orgId}/prompts`;
  const headers = { 'idempotency-key': randomUUID() };
  const body = { text: 'sent an hour early', countries: ['US'], active: false };
  const write = () => call('POST', path, { key, body, headers });
  await clock.set(3_600_000);
  const wrong = [await call('GET', list, { key }), await write(), await write()];
  await clock.set(0);
  const right = await write();
  const stored = await expectStatus(200, call('GET', list, { key }));
  const attempts = wrong.map(({ status, body: response, headers: responseHeaders }) => ({
    status,
    code: response?.error?.code ?? null,
    retryAfter: responseHeaders.get('retry-after'),
  }));
  return checkDisagreement(attempts, right.status, stored.body.data.length);
}

async function run(context: Context): Promise<Outcome> {
  const { system, report } = context;
  const [first, second, hour] = await Promise.all(
    ['first', 'second', 'hour'].map((name) => createClock(system, name)),
  );
  if (first === undefined || second === undefined || hour === undefined) throw new Error('no clocks');
  const replicas: Replica[] = [];
  const start = async (name: string, env: Record<string, string>): Promise<Replica> => {
    const replica = await startReplica(system, name, env);
    replicas.push(replica);
    return replica;
  };
  const violations: string[] = [];
  try {
    const results = await start('results', first.env);
    const catalog = await start('catalog', hour.env);
    const urls = {
      RESULTS_URL: `http://127.0.0.1:${results.port}`,
      CATALOG_URL: `http://127.0.0.1:${catalog.port}`,
    };
    const ahead = createCall(await start('gateway', { ...longTimeouts, ...first.env, ...urls }));
    const behind = createCall(await start('gateway', { ...longTimeouts, ...second.env }));
    const right: Call = (...call) => system.call(...call);
    violations.push(...(await shareAllowance(context, [ahead, behind, right], [first, second])));
    report('allowance of three gateways whose clocks jump checked');
    violations.push(...(await pageOverYears(context, ahead, first)));
    report('pages over two years read');
    violations.push(...(await callWithSkewedService(context, ahead, hour)));
  } finally {
    // Processes with a wrong clock must not handle events of the following scenarios.
    await Promise.all(replicas.map((replica) => replica.process.stop()));
  }
  return {
    violations,
    summary: `${requests} requests at gateways 50 s ahead, behind and jumping; pages over two years; a service an hour ahead`,
  };
}

export const clocks: Scenario = {
  name: 'clocks',
  guarantee:
    'wrong and jumping clocks: one allowance, stable pages, 503 where a service and the gateway disagree',
  run,
};
