import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import pg from 'pg';
import { createClient } from './client.ts';
import type { Options } from './options.ts';
import { seed } from './seed.ts';
import { startMeasured } from './target.ts';

/** What things weigh in the stores: bytes a unit and a key, by loading many and taking what was there before away. */
const say = (text: string): boolean => process.stderr.write(`${text}\n`);
const unitsAtOnce = 2_000;
const unitsLoaded = 40_000;
const platforms = ['chatgpt', 'perplexity', 'gemini', 'claude', 'ai_overviews'];
const words =
  'the tool that most teams choose for this work is often praised for price support reporting'.split(' ');

/** As long as the answers of platforms usually are, and as little repetitive. */
const answerText = (): string =>
  Array.from({ length: 220 }, () => words[Math.floor(Math.random() * words.length)]).join(' ');

function unitLine(brandId: string, competitorId: string, promptId: string, number: number): string {
  const day = Math.floor(number / (platforms.length * 50)) % 360;
  return JSON.stringify({
    unit_id: randomUUID(),
    brand_id: brandId,
    prompt_id: promptId,
    platform: platforms[number % platforms.length],
    country: number % 2 === 0 ? 'US' : 'DE',
    run_date: new Date(Date.now() - (day + 1) * 86_400_000).toISOString().slice(0, 10),
    outcome: 'answered',
    answer_text: answerText(),
    model: 'gpt-5',
    brands: [
      { brand_id: brandId, position: 1, sentiment: 70, mention_count: 2 },
      { brand_id: competitorId, position: 2, sentiment: 55, mention_count: 1 },
    ],
    sources: Array.from({ length: 5 }, (_, index) => ({
      url: `https://site-${(number * 7 + index) % 900}.example.com/articles/${(number * 13 + index) % 20_000}`,
      cited: index < 3,
    })),
  });
}

const target = await startMeasured(say);
const sql = new pg.Client({ connectionString: target.postgresUrl });
await sql.connect();
const redis = new Redis(target.redisUrl);

async function bytesOf(schema: string, tables: string): Promise<number> {
  const { rows } = await sql.query<{ bytes: string }>(
    `select coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint as bytes
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = $1 and c.relkind = 'r' and c.relname ~ $2`,
    [schema, tables],
  );
  return Number(rows[0]?.bytes);
}

async function units(): Promise<void> {
  const operator = createClient(target.operatorUrl, target.operatorToken);
  const data = await seed(target, { seconds: 1, size: 1, keys: 1 } as Options, {
    orgs: 1,
    brands: 1,
    prompts: 50,
    days: 0,
    keys: 'one',
  });
  const [org] = data.orgs;
  const [brand] = org?.brands ?? [];
  const client = createClient(target.baseUrls[0] ?? '', data.keys[0]?.key ?? '');
  const detail = await client.get<{ data: { competitors: { id: string }[] } }>(
    `/orgs/${org?.orgId}/brands/${brand?.brandId}`,
  );
  const competitorId = detail.data.competitors[0]?.id ?? '';
  const tables = '^(units|unit_|answered_days|scores|share_of_voice|source_)';
  const before = await bytesOf('results', tables);
  const startedAt = performance.now();
  for (let number = 0; number < unitsLoaded; number += unitsAtOnce) {
    const lines = Array.from({ length: unitsAtOnce }, (_, index) => {
      const promptId = brand?.promptIds[Math.floor((number + index) / platforms.length) % 50] ?? '';
      return unitLine(brand?.brandId ?? '', competitorId, promptId, number + index);
    });
    await operator.post('/results/import', `${lines.join('\n')}\n`);
  }
  const tookMs = performance.now() - startedAt;
  await sql.query('vacuum analyze');
  const perUnit = ((await bytesOf('results', tables)) - before) / unitsLoaded;
  process.stdout.write(
    `a unit with 5 sources and an answer of 1,300 characters: ${perUnit.toFixed(0)} bytes, imported at ${((unitsLoaded * 1_000) / tookMs).toFixed(0)} a second\n`,
  );
  const { rows } = await sql.query<{ relname: string; bytes: string }>(
    `select c.relname, (pg_total_relation_size(c.oid) / $1)::int as bytes
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'results' and c.relkind = 'r' and c.relname ~ $2 order by 2 desc`,
    [unitsLoaded, tables],
  );
  process.stdout.write(`of which ${rows.map(({ relname, bytes }) => `${relname} ${bytes}`).join(', ')}\n`);
}

async function keys(): Promise<void> {
  const usedMemory = async (): Promise<number> =>
    Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1]);
  const count = 20_000;
  const before = await usedMemory();
  const pipeline = redis.pipeline();
  const fields = ['minute', 30_000_000, 'count', 57, 'month', 202_611, 'left', 880, 'spent', 0, 'leasing', 0];
  for (let number = 0; number < count; number += 1) {
    const key = `rl:${randomUUID()}`;
    pipeline.hset(key, ...fields).expire(key, 3_456_000);
  }
  await pipeline.exec();
  const each = ((await usedMemory()) - before) / count;
  process.stdout.write(`the counters of a key in Redis: ${each.toFixed(0)} bytes\n`);
}

try {
  await keys();
  await units();
} finally {
  redis.disconnect();
  await sql.end();
  await target.stop();
}
process.exit();
