import type { Pool } from 'pg';
import { createClient } from '../client.ts';
import type { StorageTarget } from '../target.ts';
import { answerText } from './answer-text.ts';
import type { Brand } from './organisations.ts';
import { createSources } from './results.ts';
import { inboxKept, outboxKept, halfOf, measureStorage, type StorageSize } from './measure-storage.ts';

/** A hundred prompts, one country, five platforms. */
const unitsPerScan = 500;
const events = 2_000;

/** Requests a scan of each brand through the operator API. */
export async function scan(target: StorageTarget, brands: readonly Brand[]): Promise<void> {
  const operator = createClient(target.operatorUrl, target.operatorToken);
  for (const { brandId } of brands) await operator.post(`/brands/${brandId}/scans`, {});
}

/** Units of scans with simulated platforms. */
export async function measureScanUnits(
  target: StorageTarget,
  sql: Pool,
  brands: readonly Brand[],
): Promise<StorageSize[]> {
  const probe = {
    what: 'a unit in scans, waiting or ended',
    counted: `scans.scan_units where status in ('answered', 'no_answer')`,
    count: (brands.length / 2) * unitsPerScan,
    tables: /^scans\.scan_units$/,
    keptFor: '30 days after its scan ended',
  };
  return measureStorage(sql, [probe], (round) => scan(target, halfOf(brands, round)));
}

/**
 * Events of units: copies of scanned units with new ids and with answers and sources as long as those of imported units,
 * because answers of the simulator are short. The relay publishes them and results stores them.
 */
export async function measureUnitEvents(sql: Pool): Promise<StorageSize[]> {
  const probes = [
    {
      what: 'the event of a unit in the outbox of scans: an answer of 1,300 characters, three brands, five sources',
      counted: 'scans.outbox where sent_at is not null',
      count: events,
      tables: /^scans\.outbox$/,
      keptFor: outboxKept,
    },
    {
      what: '- its row in the inbox of results',
      counted: 'results.inbox',
      count: events,
      tables: /^results\.inbox$/,
      keptFor: inboxKept,
    },
    {
      what: 'a brand change event in the outbox of results',
      counted: 'results.outbox where sent_at is not null',
      tables: /^results\.outbox$/,
      keptFor: outboxKept,
    },
  ];
  return measureStorage(sql, probes, async () => {
    const bodies = Array.from({ length: events }, (_, number) => ({
      answer_text: answerText(),
      sources: createSources(number).map(({ url, cited }, index) => ({
        position: index + 1,
        url,
        domain: new URL(url).hostname.split('.').slice(1).join('.'),
        title: `The best tools of the year, compared - ${new URL(url).hostname}`,
        cited,
      })),
    }));
    await sql.query(
      `with copied as (
         select envelope, row_number() over (order by id) as number from scans.outbox
         where type = 'scans.unit.finalised.v1' and envelope->'data'->>'outcome' = 'answered' limit $2),
       named as (
         select gen_random_uuid() as id, gen_random_uuid() as unit_id, envelope,
           $1::jsonb->(number - 1)::int as body from copied)
       insert into scans.outbox (id, type, aggregate_id, version, envelope)
       select id, envelope->>'type', unit_id::text, 1,
         envelope || jsonb_build_object('id', id, 'subject', unit_id,
           'data', envelope->'data' || body || jsonb_build_object('unit_id', unit_id)) from named`,
      [JSON.stringify(bodies), events],
    );
  });
}
