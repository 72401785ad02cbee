import { randomUUID } from 'node:crypto';
import { checkCounted, checkDisagreement, checkWalked, type Counted } from '../checkers/clocks.ts';
import {
  createBrand,
  createCustomer,
  expected,
  request,
  type Answer,
  type CallOptions,
} from '../harness/client.ts';
import { createClock, type Clock } from '../harness/clock.ts';
import { startReplica, type Replica } from '../harness/replica.ts';
import type { Context, Outcome, Scenario } from '../harness/scenario.ts';
import { createWorld } from '../harness/world.ts';

const allowance = 60;
const requests = 200;
/** Further than any window reaches: one that moved with the clock would be empty. */
const jumpMs = 800 * 86_400_000;
/** Ahead and behind by so much, one of two gateways is always in another minute. */
const wrongMs = 50_000;
/** A caller's header is good for as long as a service may take, and must outlast that: the limiter is tried here. */
const patient = { UPSTREAM_TIMEOUT_MS: '60000' };

type Call = (method: string, path: string, options?: CallOptions) => Promise<Answer>;
const callsTo =
  ({ port }: Replica): Call =>
  (method, path, options) =>
    request(`http://127.0.0.1:${port}/v1${path}`, method, options);

/** Gateways ahead, behind and right share one allowance, while two of the clocks jump. */
async function countTogether({ system }: Context, gateways: Call[], clocks: Clock[]): Promise<string[]> {
  const { key } = await createCustomer(system, { key: { per_minute: allowance } });
  const [ahead, behind] = clocks;
  await Promise.all([ahead?.set(wrongMs), behind?.set(-wrongMs)]);
  const answers: Counted[] = [];
  const send = async (call: Call): Promise<void> => {
    const { status, headers, body } = await call('GET', '/orgs', { key });
    const wait = headers.get('retry-after');
    answers.push({
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
  return checkCounted(answers, allowance);
}

/** The second half of a walk is read two years later, as the gateway and results see it. */
async function walkOverYears(context: Context, call: Call, clock: Clock): Promise<string[]> {
  const { victim, receiver } = await createWorld(
    context.system,
    `clock${context.random.between(1, 999_999)}`,
  );
  const { customer, ids } = victim;
  const path = `/orgs/${customer.orgId}/brands/${ids['brandId']}/mentions`;
  const page = (query: string) => expected(200, call('GET', `${path}?${query}`, customer));
  const rowsOf = ({ body }: Answer): string[] => body.data.map((row: unknown) => JSON.stringify(row));
  const all = rowsOf(await page('limit=1000'));
  const walked: string[] = [];
  for (let query: string | undefined = 'limit=1'; query !== undefined;) {
    const answer: Answer = await page(query);
    walked.push(...rowsOf(answer));
    const { next_cursor: next } = answer.body.pagination;
    query = next === null ? undefined : `limit=1&cursor=${next}`;
    if (walked.length === Math.ceil(all.length / 2)) await clock.set(jumpMs);
  }
  await clock.set(0);
  await receiver.close();
  return checkWalked(walked, all);
}

/** A service an hour ahead of the gateway takes its callers for outdated: nothing is done, and nothing half done. */
async function disagree({ system, random }: Context, call: Call, clock: Clock): Promise<string[]> {
  const customer = await createCustomer(system);
  const { key, orgId } = customer;
  const { brandId } = await createBrand(system, customer, { name: `Hour ${random.between(1, 999_999)}` });
  const path = `/orgs/${orgId}/brands/${brandId}/prompts`;
  const list = `/orgs/${orgId}/prompts`;
  const headers = { 'idempotency-key': randomUUID() };
  const body = { text: 'asked an hour early', countries: ['US'], active: false };
  const write = () => call('POST', path, { key, body, headers });
  await clock.set(3_600_000);
  const wrong = [await call('GET', list, { key }), await write(), await write()];
  await clock.set(0);
  const right = await write();
  const stored = await expected(200, call('GET', list, { key }));
  const attempts = wrong.map(({ status, body: answer, headers: told }) => ({
    status,
    code: answer?.error?.code ?? null,
    retryAfter: told.get('retry-after'),
  }));
  return checkDisagreement(attempts, right.status, stored.body.data.length);
}

async function run(context: Context): Promise<Outcome> {
  const { system, say } = context;
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
    const ahead = callsTo(await start('gateway', { ...patient, ...first.env, ...urls }));
    const behind = callsTo(await start('gateway', { ...patient, ...second.env }));
    const right: Call = (...call) => system.call(...call);
    violations.push(...(await countTogether(context, [ahead, behind, right], [first, second])));
    say('counted by three gateways whose clocks jump');
    violations.push(...(await walkOverYears(context, ahead, first)));
    say('walked over two years');
    violations.push(...(await disagree(context, ahead, hour)));
  } finally {
    // Whose clock is wrong must not take events beside the scenarios that follow.
    await Promise.all(replicas.map((replica) => replica.process.stop()));
  }
  return {
    violations,
    did: `${requests} requests at gateways 50 s ahead, behind and jumping; a walk over two years; a service an hour ahead`,
  };
}

export const clocks: Scenario = {
  name: 'clocks',
  promise:
    'wrong and jumping clocks: one allowance, walks that stay, 503 where a service and the gateway disagree',
  run,
};
