/** `rpc.scans.judge-answer`: judgements of stored answers for other services. */
import { randomUUID } from 'node:crypto';
import { callRpc, judgeAnswerRpc, type RpcReply, type RpcRequest, type ScanPlan } from '@bv/events';
import { eventually } from '@bv/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { planData } from './catalog-stub.ts';
import { type Harness, startScans, sumMetric } from './harness.ts';
import { setTrouble } from './judge-harness.ts';
import { useReplicas } from './replicas.ts';

let harness: Harness;

beforeAll(async () => {
  harness = await startScans();
});
afterAll(() => harness.stop());
afterEach(() => setTrouble(harness.simulator, null));

const startReplica = useReplicas(() => harness);

/** A replica with an LLM judge that runs no units, once the NATS server knows its subscription. */
async function start(env: Record<string, string> = {}) {
  const replica = await startReplica({ SENTIMENT_JUDGE: 'auto', WORKER_CONCURRENCY: '0', ...env });
  const nothing = { brand_id: randomUUID(), answer_text: '', brand_ids: [], versions: [] };
  await eventually(() => callRpc(harness.connection, judgeAnswerRpc, nothing));
  return replica;
}

const answerText = 'Contoso is excellent and reliable. Fabrikam is terrible and slow.';

const registerPlan = (brand: Partial<ScanPlan['brand']> = {}) => harness.registerPlan(planData({ brand }));

type Request = RpcRequest<typeof judgeAnswerRpc>;

const judge = ({ brand }: ScanPlan, request: Partial<Request> = {}) =>
  callRpc(harness.connection, judgeAnswerRpc, {
    brand_id: brand.id,
    answer_text: answerText,
    brand_ids: [brand.id, ...brand.competitors.map(({ id }) => id)],
    versions: [],
    ...request,
  });

const countCalls = (): number => harness.simulator.state.requests.judge;

describe('a judgement of a stored answer', () => {
  test('has the sentiment of each brand, and whether the text means it', async () => {
    await start();
    const plan = registerPlan();
    const judgements = await judge(plan);
    expect(judgements?.map(({ brand_id, means_brand }) => [brand_id, means_brand])).toEqual([
      [plan.brand.id, true],
      [plan.brand.competitors[0]?.id, true],
    ]);
    expect(judgements?.[0]?.sentiment).toBeGreaterThan(50);
    expect(judgements?.[1]?.sentiment).toBeLessThan(50);
  });

  test('is of the requested brands only', async () => {
    await start();
    const plan = registerPlan();
    const [competitor] = plan.brand.competitors;
    if (competitor === undefined) throw new Error('no competitor');
    expect(await judge(plan, { brand_ids: [competitor.id] })).toMatchObject([{ brand_id: competitor.id }]);
    const before = countCalls();
    expect(await judge(plan, { brand_ids: [randomUUID()] })).toEqual([]);
    expect(countCalls()).toBe(before);
  });

  test('is of a replica with an LLM judge, among others', async () => {
    await startReplica({ SENTIMENT_JUDGE: 'off', WORKER_CONCURRENCY: '0' });
    await expect(judge(registerPlan())).rejects.toMatchObject({ reason: 'no_responders' });
    await start();
    const replies = await Promise.all(Array.from({ length: 4 }, () => judge(registerPlan())));
    expect(replies.filter((reply) => reply === null)).toEqual([]);
  });

  test('reads the brand as it is now', async () => {
    await start();
    const plan = registerPlan({ name: 'Zephyrix' });
    expect(await judge(plan, { brand_ids: [plan.brand.id] })).toEqual([]);
    await harness.publishBrand(plan, 2, { aliases: ['Contoso'] });
    await eventually(async () =>
      expect(await judge(plan, { brand_ids: [plan.brand.id] })).toMatchObject([{ brand_id: plan.brand.id }]),
    );
  });

  test('reads a brand again whose version is older than that of the caller', async () => {
    await start();
    const plan = registerPlan({ name: 'Zephyrix' });
    const request = { brand_ids: [plan.brand.id] };
    expect(await judge(plan, request)).toEqual([]);
    // Without an event.
    harness.registerBrand({ ...plan.brand, aliases: ['Contoso'] }, 2);
    expect(await judge(plan, request)).toEqual([]);
    const versions = [{ brand_id: plan.brand.id, version: 2 }];
    expect(await judge(plan, { ...request, versions })).toMatchObject([{ brand_id: plan.brand.id }]);
    expect(await judge(plan, request)).toMatchObject([{ brand_id: plan.brand.id }]);
  });

  test('of the longest answer and of 251 brands fits into a message', async () => {
    await start();
    const competitors = Array.from({ length: 250 }, (_, index) => ({
      id: randomUUID(),
      name: `Brand${index}x`,
      domain: `brand${index}.example`,
    }));
    const plan = registerPlan({ competitors });
    const names = `Contoso is good. ${competitors.map(({ name }) => `${name} is good.`).join(' ')}`;
    // A control character has six bytes in JSON.
    const text = `${names} `.padEnd(32 * 1_024, '\u0001');
    let judgements: RpcReply<typeof judgeAnswerRpc> = null;
    // A process requests brands from catalog for three seconds, and the rest the next time.
    await eventually(async () => {
      judgements = await judge(plan, { answer_text: text });
      expect(judgements).toHaveLength(251);
    });
    const request = {
      brand_id: plan.brand.id,
      answer_text: text,
      brand_ids: competitors.map(({ id }) => id),
    };
    expect(Buffer.byteLength(JSON.stringify(request))).toBeLessThan(300_000);
    expect(Buffer.byteLength(JSON.stringify(judgements))).toBeLessThan(100_000);
  });
});

describe('there is no judgement', () => {
  test.each(['500', 'garbage'] as const)('if the LLM judge fails with %s', async (kind) => {
    setTrouble(harness.simulator, kind);
    await start();
    expect(await judge(registerPlan())).toBeNull();
  });

  test('over the budget', async () => {
    await start({
      SENTIMENT_JUDGE_MONTHLY_BUDGET_USD: '0.01',
      SENTIMENT_JUDGE_PRICE_INPUT_PER_MILLION_TOKENS_USD: '1000',
    });
    const before = countCalls();
    expect(await judge(registerPlan())).toBeNull();
    expect(countCalls()).toBe(before);
  });
});

test('a replica that stops fails the calls in flight, and takes no further ones while it drains', async () => {
  setTrouble(harness.simulator, 'hold');
  const replica = await start({ DRAIN_MS: '500' });
  const judgements = judge(registerPlan());
  await eventually(() => expect(harness.simulator.state.held).toBe(1));
  const stopped = replica.stop();
  await expect(judgements).rejects.toMatchObject({ reason: 'failed' });
  await expect(judge(registerPlan())).rejects.toMatchObject({ reason: 'no_responders' });
  await stopped;
});

test('a replica judges four answers at once and refuses more, whatever else it does', async () => {
  setTrouble(harness.simulator, 'hold');
  const replica = await start();
  const plan = registerPlan();
  const texts = Array.from({ length: 4 }, (_, index) => `Contoso is good in case ${index}.`);
  const judgements = texts.map((text) => judge(plan, { answer_text: text }));
  await eventually(() => expect(harness.simulator.state.held).toBe(4));
  await expect(judge(plan)).rejects.toMatchObject({ reason: 'busy' });
  setTrouble(harness.simulator, null);
  expect((await Promise.all(judgements)).map((reply) => reply?.length)).toEqual([1, 1, 1, 1]);
  expect(await sumMetric(replica.monitoringUrl, 'bv_scans_sentiments_rated_total', 'result="judged"')).toBe(
    4,
  );
});
