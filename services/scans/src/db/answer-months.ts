import { execute, many, type Queryable, type Transaction } from '@bv/postgres';

export type AskedUnits = { orgId: string; units: number; costUsd: number | null };

/** Adds to the current month. Locks the rows in order of the organisation, as every transaction that waits for several. */
export function addAnswers(tx: Transaction, asked: readonly AskedUnits[]): Promise<number> {
  return execute(tx, {
    name: 'scans.add_answers',
    text: `insert into answer_months as m (month, org_id, units, cost_usd)
           select date_trunc('month', clock_timestamp() at time zone 'UTC'), org_id, units, cost_usd
             from unnest($1::uuid[], $2::int[], $3::numeric[]) as asked (org_id, units, cost_usd) order by org_id
           on conflict (month, org_id) do update set units = m.units + excluded.units,
             cost_usd = m.cost_usd + excluded.cost_usd`,
    values: [
      asked.map(({ orgId }) => orgId),
      asked.map(({ units }) => units),
      asked.map(({ costUsd }) => costUsd),
    ],
  });
}

export type AnswerMonthRow = { org_id: string; units: number; cost_usd: number | null };

/** `month` is its first day. Organisations that asked nothing have no row. */
export function listAnswers(
  db: Queryable,
  month: string,
  orgIds: readonly string[],
): Promise<AnswerMonthRow[]> {
  return many<AnswerMonthRow>(db, {
    name: 'scans.list_answers',
    text: 'select org_id, units, cost_usd from answer_months where month = $1 and org_id = any($2::uuid[])',
    values: [month, orgIds],
  });
}
