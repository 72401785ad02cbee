import { randomUUID } from 'node:crypto';
import { exampleIds } from '@bv/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { startGateway, type TestGateway } from './gateway.ts';
import { examples, post, respondWithExamples, toolCall } from './mcp-client.ts';
import { json } from './upstream.ts';

type Change = { brand_id: string; last_week: number; week_before: number; change: number; mentions: number };
type Overview = { summary: string; share_of_voice: Change[]; share_of_voice_complete: boolean };

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(() => gateway.upstream.reset());
afterAll(() => gateway.stop());

/**
 * Serves 14 days of the own brand and its competitors by pages, newest first. In the last week, the own brand has 30 of
 * 1,000 mentions a day and each competitor 2. In the week before, it has 10 and each competitor 3.
 */
function serveShares(competitors: number): void {
  const brands = [exampleIds.brand, ...Array.from({ length: competitors }, () => randomUUID())];
  const [example] = (examples['listShareOfVoice']?.data ?? []) as object[];
  gateway.upstream.respond = (call, response) => {
    if (call.caller.operation !== 'listShareOfVoice') return respondWithExamples(call, response);
    const { searchParams } = new URL(call.url, 'http://a');
    const newest = Date.parse(searchParams.get('to') ?? '');
    const rows = Array.from({ length: 14 }, (_, age) =>
      brands.map((brand_id, index) => ({
        ...example,
        run_date: new Date(newest - age * 86_400_000).toISOString().slice(0, 10),
        brand_id,
        is_own: index === 0,
        mentions: index === 0 ? (age < 7 ? 30 : 10) : age < 7 ? 2 : 3,
        total_mentions: 1_000,
      })),
    ).flat();
    const start = Number(searchParams.get('cursor') ?? 0);
    const end = start + Number(searchParams.get('limit'));
    const has_more = end < rows.length;
    const pagination = { next_cursor: has_more ? String(end) : null, has_more };
    json(response, 200, { data: rows.slice(start, end), pagination });
  };
}

async function overview(): Promise<{ result: Overview; used: number }> {
  const { orgId, key } = await gateway.customer();
  const message = toolCall('brand_overview', { org_id: orgId, brand_id: exampleIds.brand });
  const { body } = await post(gateway, message, { key });
  const usage = await gateway.call<{ monthly: { used: number } }>({ path: '/v1/key', key });
  return {
    result: body.result?.['structuredContent'] as Overview,
    used: usage.body.data.monthly.used - 1,
  };
}

test.each([
  [13, 5],
  [14, 6],
  [71, 10],
  [250, 22],
])('shares of %i competitors are those of both whole weeks, for %i requests', async (competitors, cost) => {
  serveShares(competitors);
  const { result, used } = await overview();
  expect(used).toBe(cost);
  expect(result.share_of_voice_complete).toBe(true);
  const [own, ...others] = result.share_of_voice;
  expect(own).toMatchObject({ last_week: 3, week_before: 1, change: 2, mentions: 210 });
  expect(others).toHaveLength(competitors);
  const weeks = others.map(({ last_week, week_before, mentions }) => [last_week, week_before, mentions]);
  expect(new Set(weeks.map(String))).toEqual(new Set(['0.2,0.3,14']));
  expect(result.summary).toContain(`Share of voice 3 % after 1 %: place 1 of ${competitors + 1} tracked`);
});

test('no share is stated when the weeks have more rows than the tool reads', async () => {
  serveShares(251);
  const { result, used } = await overview();
  expect(used).toBe(22);
  expect(result).toMatchObject({ share_of_voice: [], share_of_voice_complete: false });
  expect(result.summary).toMatch(/Share of voice is not stated, because .* more than 3514 rows\./);
  expect(result.summary).not.toMatch(/place \d/);
});

test('the summary says how sure the score is, but not while a scan is being finalised', async () => {
  gateway.upstream.respond = respondWithExamples;
  expect((await overview()).result.summary).toContain(' Limited by ');
  gateway.upstream.respond = (call, response) => {
    if (call.caller.operation !== 'getPrecision') return respondWithExamples(call, response);
    const error = { code: 'scan_in_progress', message: 'A scan is being finalised', doc_url: '/docs/errors' };
    json(response, 409, { error });
  };
  const { summary } = (await overview()).result;
  expect(summary).not.toContain('Limited by');
  expect(summary).toContain('Verdict');
});
