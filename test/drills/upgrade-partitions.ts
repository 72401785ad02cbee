import { strict as assert } from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import { BrandVisibilityClient } from '@bv/sdk';
import pg from 'pg';
import type { Access } from './upgrade-traffic.ts';

const brands = 20;
const timeoutMs = 45 * 60_000;
const progressMs = 60_000;

/** Runs as the superuser, in the schema of results. */
async function withResults<T>(postgresUrl: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const url = new URL(postgresUrl);
  url.pathname = '/brand_visibility';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    await client.query('set search_path = results');
    return await use(client);
  } finally {
    await client.end();
  }
}

/** SQL of a UUID of version 4 for a text. */
const toId = (text: string): string =>
  `overlay(overlay(md5(${text}) placing '4' from 13) placing '8' from 17)::uuid`;

/** Adds units of 90 days, as an earlier release stores them: a share of the given brand, the others of brands without a name. */
export function addUnits(postgresUrl: string, units: number, { orgId, brandId }: Access): Promise<void> {
  return withResults(postgresUrl, async (client) => {
    // No unit of the demo is stored meanwhile.
    await client.query('begin; lock table brand_tokens in share row exclusive mode');
    const unitId = toId(`'unit ' || n`);
    await client.query(
      `insert into units (id, org_id, brand_id, prompt_id, platform, country, run_date, finalized_at, outcome, mentioned,
         position, sentiment, cited, answer_text, answer_truncated, localization, search_queries)
       select ${unitId}, $2::uuid, case when n % $4 = 0 then $3::uuid else ${toId(`'brand ' || n % $4`)} end,
         ${toId(`'prompt ' || n % 400`)}, (array['chatgpt', 'gemini', 'claude'])[1 + n % 3],
         (array['US', 'DE'])[1 + n / 3 % 2], current_date - 1 - n % 90, now() - n * interval '1 ms', 'answered',
         n % 3 = 0, case when n % 3 = 0 then 1 + n % 5 end, case when n % 3 = 0 then n % 100 end, false,
         repeat('An answer of some length. ', 20), false, 'native', '{}'
       from generate_series(1, $1::int) n`,
      [units, orgId, brandId, brands + 1],
    );
    await client.query(
      `insert into unit_brands (unit_id, ordinal, brand_id, name, domain, is_own, mentioned, mention_count, position, cited)
       select id, place, case when place = 0 then brand_id else ${toId(`'rival ' || brand_id`)} end, 'Brand', 'brand.com',
         place = 0, place = 1 or mentioned, 1, 1 + place, false
       from units, generate_series(0, 1) place where answer_text like 'An answer of some length.%'`,
    );
    await client.query(
      `insert into unit_sources (unit_id, position, url, domain, cited)
       select ${unitId}, place, 'https://s' || (n * place) % 500 || '.com/' || n % 7, 's' || (n * place) % 500 || '.com', true
       from generate_series(1, $1::int) n, generate_series(1, 2) place`,
      [units],
    );
    await addSums(client);
    await client.query(
      `insert into brand_tokens (brand_id, org_id, changed_at, version)
       select distinct brand_id, org_id, now(), 1 from units
       on conflict (brand_id) do update set version = brand_tokens.version + 1, changed_at = now()`,
    );
    await client.query('commit');
    await client.query('analyze units, unit_brands, unit_sources, source_days, source_pages');
  });
}

/** The sums that reads of sources use. */
async function addSums(client: pg.Client): Promise<void> {
  await client.query('truncate source_days, source_pages, answered_days');
  await client.query(
    `insert into source_days (brand_id, run_date, domain, platform, country, citations, units_cited, units_mentioned)
     select u.brand_id, u.run_date, s.domain, u.platform, u.country, sum(s.citations), count(*),
       count(*) filter (where u.mentioned)
     from (select unit_id, domain, count(*) as citations from unit_sources where cited group by 1, 2) s
       join units u on u.id = s.unit_id
     where u.outcome = 'answered' group by 1, 2, 3, 4, 5`,
  );
  await client.query(
    `insert into source_pages (brand_id, domain, run_date, platform, country, url, title, citations)
     select u.brand_id, s.domain, u.run_date, u.platform, u.country, s.url, max(s.title), count(*)
     from unit_sources s join units u on u.id = s.unit_id
     where s.cited and u.outcome = 'answered' group by 1, 2, 3, 4, 5, 6`,
  );
  await client.query(
    `insert into answered_days (brand_id, run_date, platform, country, units_answered)
     select brand_id, run_date, platform, country, count(*) from units where outcome = 'answered' group by 1, 2, 3, 4`,
  );
}

/** Whether the tables are partitioned; undefined if the schema does not know partitions. */
export function isPartitioned(postgresUrl: string): Promise<boolean | undefined> {
  return withResults(postgresUrl, async (client) => {
    const { rows } = await client.query<{ known: boolean }>(
      `select to_regclass('partitioning') is not null as known`,
    );
    if (rows[0]?.known !== true) return undefined;
    return (await client.query('select 1 from partitioning where switched_at is not null')).rowCount === 1;
  });
}

/** Reports the progress every minute. */
export async function waitUntilPartitioned(
  postgresUrl: string,
  report: (progress: string) => void,
): Promise<void> {
  const startedAt = Date.now();
  let reportedAt = startedAt;
  while ((await isPartitioned(postgresUrl)) !== true) {
    assert(Date.now() < startedAt + timeoutMs, 'the tables of results are not partitioned in time');
    if (Date.now() > reportedAt + progressMs) {
      reportedAt = Date.now();
      report(`copying, ${await countCopiedBrands(postgresUrl)} of ${brands + 1} brands are copied`);
    }
    await sleep(500);
  }
}

const countCopiedBrands = (postgresUrl: string): Promise<number> =>
  withResults(postgresUrl, async (client) => {
    const { rowCount } = await client.query('select 1 from partition_copies where copied_at is not null');
    return rowCount ?? 0;
  });

/** Every mention of 90 days, and the sources. */
export async function readResults(baseUrl: string, { orgId, brandId, key }: Access) {
  const client = new BrandVisibilityClient({ baseUrl, apiKey: key });
  const from = new Date(Date.now() - 88 * 86_400_000).toISOString().slice(0, 10);
  const at = { orgId, brandId, from };
  return {
    mentions: await client.listMentions(at).all(),
    sources: await client.listSources(at).all(),
    shares: await client.listShareOfVoice(at).all(),
    scores: await client.listScores(at).all(),
  };
}

type PartitionedTable = { name: string; own: string; key: string; former_key: string };

/** Compares every row of the former tables, which no longer change, with those in the partitions. Returns their number. */
export function compareRows(postgresUrl: string): Promise<number> {
  return withResults(postgresUrl, async (client) => {
    const tables = await client.query<PartitionedTable>(
      `select name, own_brand as own, qualify(key, 'c') as key, qualify(key, 'f') as former_key
       from partitioned_tables() order by place`,
    );
    let compared = 0;
    for (const { name, own, key, former_key: formerKey } of tables.rows) {
      const isOfUnits = name === 'unit_brands' || name === 'unit_sources';
      // The brand that the row has in partitions.
      const ownBrand = isOfUnits ? 'u.brand_id' : `t.${own}`;
      const { rows } = await client.query<{ former: number; different: number }>(
        `select count(f)::int as former, count(*) filter (where f.row is distinct from to_jsonb(c))::int as different
         from (select t.*, ${ownBrand} as own, to_jsonb(t) || jsonb_build_object('${own}', ${ownBrand}) as row
               from unpartitioned_${name} t ${isOfUnits ? 'join unpartitioned_units u on u.id = t.unit_id' : ''}) f
           full join ${name} c on c.${own} = f.own and (${key}) = (${formerKey})`,
      );
      assert.deepEqual([name, rows[0]?.different], [name, 0], 'rows are not the same in partitions');
      compared += rows[0]?.former ?? 0;
    }
    return compared;
  });
}
