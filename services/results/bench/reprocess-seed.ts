import { type Pool, transaction } from '@bv/postgres';
import { scoreDay } from '../src/commands/score-day.ts';
import { addSourceSums } from '../src/db/sources.ts';
import { orgId } from './generate.ts';
import { type Answer, brands, createAnswers } from './reprocess-answers.ts';

export const ownId = brands[0]?.id ?? '';
const prompts = 50;
const days = 365;
/** The first of the prompts of the units. */
export const promptId = '00000000-0000-4000-8000-000000000000';
const toId = (number: string): string =>
  `('00000000-0000-4000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`;
/** Units by number, each with the number of its answer. */
const numbered = `(select n, n % $2::int as answer, ${toId('n')} as id from generate_series(0, $1::int - 1) n) u`;

/**
 * Stores the answers of a year, spread evenly over its days up to `today`, with their scores and sums. As in units of an
 * earlier release, the brands have no evidence: a reprocess job then writes every row.
 */
export async function seedYear(
  pool: Pool,
  { units, today }: { units: number; today: string },
): Promise<void> {
  const answers = createAnswers();
  await insertAnswers(pool, answers);
  const sizes = [units, answers.length];
  await pool.query(
    `insert into units (id, org_id, brand_id, prompt_id, job_id, platform, country, run_date, finalized_at, outcome,
       mentioned, position, sentiment, cited, answer_text, answer_truncated, model, search_used, localization,
       search_queries, sentiment_method)
     select u.id, $3, $4, ${toId(`n % ${prompts}`)}, ${toId('n / 250')},
       (array['chatgpt', 'perplexity', 'gemini', 'claude', 'ai_overviews'])[1 + n % 5],
       (array['US', 'DE', 'FR', 'GB', 'JP'])[1 + n / 5 % 5], day, (day + time '06:00') at time zone 'UTC', 'answered',
       own.mentioned, own.position, own.sentiment, own.cited, a.text, false, 'model-1', true, 'native', '{}', 'lexicon'
     from ${numbered}
       cross join lateral (select $5::date - (n::bigint * ${days} / $1)::int as day) d
       join seed_answers a on a.answer = u.answer
       join seed_brands own on own.answer = u.answer and own.ordinal = 0`,
    [...sizes, orgId, ownId, today],
  );
  await pool.query(
    `insert into unit_brands (own_brand_id, unit_id, ordinal, brand_id, name, domain, is_own, mentioned, mention_count,
       position, sentiment, cited)
     select $3::uuid, u.id, b.ordinal, b.brand_id, b.name, b.domain, b.ordinal = 0, b.mentioned, b.mention_count, b.position,
       b.sentiment, b.cited
     from ${numbered} join seed_brands b on b.answer = u.answer`,
    [...sizes, ownId],
  );
  await pool.query(
    `insert into unit_sources (own_brand_id, unit_id, position, url, domain, cited)
     select $3::uuid, u.id, s.position, s.url, s.domain, true
     from ${numbered} join seed_sources s on s.answer = u.answer`,
    [...sizes, ownId],
  );
  await pool.query('drop table seed_answers, seed_brands, seed_sources');
  await pool.query(
    `insert into prompts (id, org_id, brand_id, active, version)
     select ${toId('n')}, $1, $2, true, 1 from generate_series(0, ${prompts - 1}) n`,
    [orgId, ownId],
  );
  await pool.query('insert into unit_markets select distinct brand_id, platform, country from units');
  await pool.query(
    'insert into brand_tokens (brand_id, org_id, changed_at, version) values ($1, $2, now(), 1)',
    [ownId, orgId],
  );
  await pool.query('vacuum analyze');
  await sumDays(pool);
}

async function insertAnswers(pool: Pool, answers: readonly Answer[]): Promise<void> {
  await pool.query(
    `create table seed_answers as
     select * from jsonb_to_recordset($1::jsonb) as a (answer int, text text)`,
    [JSON.stringify(answers)],
  );
  const found = answers.flatMap((answer) =>
    answer.found.map((result, ordinal) => ({
      answer: answer.answer,
      ordinal,
      ...brands[ordinal],
      brand_id: result.brandId,
      mentioned: result.mentioned,
      mention_count: result.mentionCount,
      position: result.position,
      sentiment: result.sentiment,
      cited: result.cited,
    })),
  );
  await pool.query(
    `create table seed_brands as
     select * from jsonb_to_recordset($1::jsonb) as b (answer int, ordinal int, brand_id uuid, name text, domain text,
       mentioned boolean, mention_count int, position int, sentiment numeric, cited boolean)`,
    [JSON.stringify(found)],
  );
  const sources = answers.flatMap(({ answer, sources: links }) => links.map((link) => ({ answer, ...link })));
  await pool.query(
    `create table seed_sources as
     select * from jsonb_to_recordset($1::jsonb) as s (answer int, position int, url text, domain text)`,
    [JSON.stringify(sources)],
  );
}

/** The sums and scores of every day, as ingest computes them. */
async function sumDays(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ day: string; ids: string[] }>(
    'select run_date as day, array_agg(id) as ids from units group by run_date',
  );
  for (const { day, ids } of rows) {
    await transaction(pool, async (tx) => {
      await addSourceSums(tx, ownId, ids);
      await scoreDay(tx, ownId, day);
    });
  }
}
