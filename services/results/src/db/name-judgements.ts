import type { judgeNamesRpc, RpcReply, RpcRequest } from '@bv/events';
import { execute, many, type Queryable, type Transaction } from '@bv/postgres';
import { firstTextDay } from './retention.ts';

type NameToJudge = RpcRequest<typeof judgeNamesRpc>['names'][number];
export type NameJudgement = NonNullable<RpcReply<typeof judgeNamesRpc>>[number];

/** Brands with names since a day and no call today or later, those that have waited longest first. */
export async function listBrandsToJudge(
  db: Queryable,
  { today, from, limit }: { today: string; from: string; limit: number },
): Promise<string[]> {
  const rows = await many<{ brand_id: string }>(db, {
    name: 'results.list_brands_to_judge',
    text: `select t.brand_id from brand_tokens t cross join lateral (
             select d.brand_id from name_days d
             where d.brand_id = t.brand_id and d.run_date >= $2 and not d.is_tracked limit 1) named
           where t.names_judged_on is null or t.names_judged_on < $1::date
           order by t.names_judged_on nulls first, t.brand_id limit $3`,
    values: [today, from, limit],
  });
  return rows.map(({ brand_id }) => brand_id);
}

/** Reserves the call of a brand on this day. False if another process has it, or one of a later day. */
export async function reserveNameCall(db: Queryable, brandId: string, today: string): Promise<boolean> {
  const reserved = await execute(db, {
    name: 'results.reserve_name_call',
    text: `update brand_tokens set names_judged_on = $2
           where brand_id = $1 and (names_judged_on is null or names_judged_on < $2::date)`,
    values: [brandId, today],
  });
  return reserved === 1;
}

/**
 * Gives a call back that was not made, unless one of a later day is reserved. The day before stays taken: processes that
 * began before midnight may not call again.
 */
export async function releaseNameCall(db: Queryable, brandId: string, today: string): Promise<void> {
  await execute(db, {
    name: 'results.release_name_call',
    text: `update brand_tokens set names_judged_on = $2::date - 1 where brand_id = $1 and names_judged_on = $2::date`,
    values: [brandId, today],
  });
}

/** Names of most answers since a day: those without a judgement, and those of which they may be spellings. */
export function listNamesToJudge(db: Queryable, brandId: string, from: string): Promise<NameToJudge[]> {
  return many<NameToJudge>(db, {
    name: 'results.list_names_to_judge',
    prepare: false,
    text: `select key, name, domain, is_judged
           from (select d.key, mode() within group (order by name) as name,
                   mode() within group (order by nullif(domain, '')) as domain, j.key is not null as is_judged,
                   row_number() over (partition by j.key is not null
                     order by sum(cardinality(prompt_ids)) desc, d.key) as place
                 from name_days d left join name_judgements j on j.brand_id = d.brand_id and j.key = d.key
                 where d.brand_id = $1 and run_date >= $2 and not is_tracked and same_as is null
                 group by d.key, j.key) n
           where place <= 40`,
    values: [brandId, from],
  });
}

/**
 * A name that has a judgement keeps it. A spelling of a spelling is one of its name. The caller holds the lock of the
 * brand's token row.
 */
export function insertNameJudgements(
  tx: Transaction,
  brandId: string,
  judgements: readonly NameJudgement[],
): Promise<number> {
  return execute(tx, {
    name: 'results.insert_name_judgements',
    text: `insert into name_judgements (brand_id, key, kind, same_as)
           select $1, n.key, n.kind, nullif(coalesce(main.same_as, n.same_as), n.key)
           from jsonb_to_recordset($2::jsonb) as n (key text, kind text, same_as text)
             left join name_judgements main on main.brand_id = $1 and main.key = n.same_as
           on conflict do nothing`,
    values: [brandId, JSON.stringify(judgements)],
  });
}

/** Days with texts, from one on, on which a spelling still counts as a name of its own. */
export async function listMergedDays(db: Queryable, brandId: string, from: string): Promise<string[]> {
  const days = await many<{ run_date: string }>(db, {
    name: 'results.list_merged_days',
    text: `select distinct run_date
           from name_days d join name_judgements j on j.brand_id = d.brand_id and j.key = d.key
           where d.brand_id = $1 and run_date >= $2 and run_date >= ${firstTextDay}
             and not is_tracked and same_as is not null`,
    values: [brandId, from],
  });
  return days.map(({ run_date }) => run_date);
}
