import type { Pool } from 'pg';
import { createClient } from '../client.ts';
import type { Measured } from '../target.ts';
import { answerText } from './answer-text.ts';
import type { Brand } from './customers.ts';
import { sourcesOf } from './results.ts';
import { inboxKept, outboxKept, partOf, weigh, type Weighed } from './scales.ts';

/** A hundred prompts, one country, five platforms. */
const unitsAScan = 500;
const events = 2_000;

/** Scans these brands as an operator does. */
export async function scan(target: Measured, brands: readonly Brand[]): Promise<void> {
  const operator = createClient(target.operatorUrl, target.operatorToken);
  for (const { brandId } of brands) await operator.post(`/brands/${brandId}/scans`, {});
}

/** Units of whole scans by simulated platforms. */
export async function weighScanUnits(
  target: Measured,
  sql: Pool,
  brands: readonly Brand[],
): Promise<Weighed[]> {
  const weight = {
    what: 'a unit in the queue, waiting or ended',
    counted: `scans.scan_units where status in ('answered', 'no_answer')`,
    count: (brands.length / 2) * unitsAScan,
    tables: /^scans\.scan_units$/,
    keptFor: '30 days after its scan ended',
  };
  return weigh(sql, [weight], (round) => scan(target, partOf(brands, round)));
}

/**
 * Events of units: of those that were scanned, said again as of other units, with an answer and sources as long as those
 * of the units that are imported, for the simulator is terse. The relay carries them and results takes them in.
 */
export async function weighUnitEvents(sql: Pool): Promise<Weighed[]> {
  const weights = [
    {
      what: 'the event of a unit in the outbox of scans: an answer of 1,300 characters, three brands, five sources',
      counted: 'scans.outbox where sent_at is not null',
      count: events,
      tables: /^scans\.outbox$/,
      keptFor: outboxKept,
    },
    {
      what: '- its mark in the inbox of results',
      counted: 'results.inbox',
      count: events,
      tables: /^results\.inbox$/,
      keptFor: inboxKept,
    },
    {
      what: 'news that a brand changed in the outbox of results',
      counted: 'results.outbox where sent_at is not null',
      tables: /^results\.outbox$/,
      keptFor: outboxKept,
    },
  ];
  return weigh(sql, weights, async () => {
    const bodies = Array.from({ length: events }, (_, number) => ({
      answer_text: answerText(),
      sources: sourcesOf(number).map(({ url, cited }, index) => ({
        position: index + 1,
        url,
        domain: new URL(url).hostname.split('.').slice(1).join('.'),
        title: `The best tools of the year, compared - ${new URL(url).hostname}`,
        cited,
      })),
    }));
    await sql.query(
      `with said as (
         select envelope, row_number() over (order by id) as number from scans.outbox
         where type = 'scans.unit.finalised.v1' and envelope->'data'->>'outcome' = 'answered' limit $2),
       named as (
         select gen_random_uuid() as id, gen_random_uuid() as unit_id, envelope,
           $1::jsonb->(number - 1)::int as body from said)
       insert into scans.outbox (id, type, aggregate_id, version, envelope)
       select id, envelope->>'type', unit_id::text, 1,
         envelope || jsonb_build_object('id', id, 'subject', unit_id,
           'data', envelope->'data' || body || jsonb_build_object('unit_id', unit_id)) from named`,
      [JSON.stringify(bodies), events],
    );
  });
}
