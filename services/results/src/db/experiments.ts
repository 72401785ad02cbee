import type { ExperimentResult } from '@bv/contract';
import { many, maybeOne, one, type Queryable, type Transaction } from '@bv/postgres';
import type { ExperimentRow } from '../domain/experiment.ts';

const given = `id, org_id, created_at, brand_id, name, metric, starts_on, pre_from, post_from, post_to, treated_prompt_ids,
  treated_tags, control_prompt_ids, control_tags, platforms, countries, note, smallest_detectable`;
const columns = `${given}, stopped_at, completed_at, result`;

const isOpen = 'stopped_at is null and completed_at is null';

export type NewExperiment = Omit<ExperimentRow, 'created_at' | 'stopped_at' | 'completed_at' | 'result'> & {
  at: Date;
};

export function insertExperiment(tx: Transaction, row: NewExperiment): Promise<ExperimentRow> {
  return one<ExperimentRow>(tx, {
    name: 'results.insert_experiment',
    text: `insert into experiments (${given})
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18) returning ${columns}`,
    values: [
      row.id,
      row.org_id,
      row.at,
      row.brand_id,
      row.name,
      row.metric,
      row.starts_on,
      row.pre_from,
      row.post_from,
      row.post_to,
      row.treated_prompt_ids,
      row.treated_tags,
      row.control_prompt_ids,
      row.control_tags,
      row.platforms,
      row.countries,
      row.note,
      row.smallest_detectable,
    ],
  });
}

/** Experiments of a brand that are neither stopped nor past their last day. */
export async function countOpenExperiments(db: Queryable, brandId: string, today: string): Promise<number> {
  const { count } = await one<{ count: number }>(db, {
    name: 'results.count_open_experiments',
    text: `select count(*)::int as count from experiments
           where brand_id = $1 and ${isOpen} and post_to >= $2`,
    values: [brandId, today],
  });
  return count;
}

type ExperimentKey = { id: string; orgId: string; brandId: string };

export function findExperiment(
  db: Queryable,
  { id, orgId, brandId }: ExperimentKey,
): Promise<ExperimentRow | undefined> {
  return maybeOne<ExperimentRow>(db, {
    name: 'results.find_experiment',
    text: `select ${columns} from experiments where id = $1 and org_id = $2 and brand_id = $3`,
    values: [id, orgId, brandId],
  });
}

export function lockExperiment(
  tx: Transaction,
  { id, orgId, brandId }: ExperimentKey,
): Promise<ExperimentRow | undefined> {
  return maybeOne<ExperimentRow>(tx, {
    name: 'results.lock_experiment',
    text: `select ${columns} from experiments where id = $1 and org_id = $2 and brand_id = $3 for update`,
    values: [id, orgId, brandId],
  });
}

/** Newest first. */
export function listExperimentRows(
  db: Queryable,
  page: { brandId: string; before: { createdAt: string; id: string }; limit: number },
): Promise<ExperimentRow[]> {
  return many<ExperimentRow>(db, {
    name: 'results.list_experiments',
    text: `select ${columns} from experiments
           where brand_id = $1 and (created_at, id) < ($2, $3::uuid)
           order by created_at desc, id desc limit $4`,
    values: [page.brandId, page.before.createdAt, page.before.id, page.limit],
  });
}

/** Locks an experiment after `after` that ended before `today`, and that no other process completes. */
export function lockEndedExperiment(
  tx: Transaction,
  { today, after }: { today: string; after: string | null },
): Promise<ExperimentRow | undefined> {
  return maybeOne<ExperimentRow>(tx, {
    name: 'results.lock_ended_experiment',
    text: `select ${columns} from experiments
           where ${isOpen} and post_to < $1 and ($2::uuid is null or id > $2)
           order by id limit 1 for update skip locked`,
    values: [today, after],
  });
}

/**
 * Locks an ended experiment after `after` with a day that was scored again since its result was stored, and whose days
 * are all kept.
 */
export function lockOutdatedExperiment(
  tx: Transaction,
  after: string | null,
): Promise<ExperimentRow | undefined> {
  return maybeOne<ExperimentRow>(tx, {
    name: 'results.lock_outdated_experiment',
    text: `select ${columns} from experiments e
           where (stopped_at is not null or completed_at is not null) and ($1::uuid is null or id > $1)
             and not exists (
               select from brand_tokens t where t.brand_id = e.brand_id and t.units_from > e.pre_from)
             and (select max(s.computed_at) from scores s
                  where s.brand_id = e.brand_id and s.country = '' and s.run_date between e.pre_from and e.post_to)
               > e.result_at
           order by id limit 1 for update skip locked`,
    values: [after],
  });
}

type Outcome = {
  id: string;
  result: ExperimentResult | null;
  end: 'stopped' | 'completed' | null;
  at: Date;
};

/** Ends an experiment, or replaces its result. */
export function updateExperiment(tx: Transaction, { id, result, end, at }: Outcome): Promise<ExperimentRow> {
  return one<ExperimentRow>(tx, {
    name: 'results.update_experiment',
    text: `update experiments set result = $2, result_at = clock_timestamp(),
             stopped_at = case when $3 = 'stopped' then $4 else stopped_at end,
             completed_at = case when $3 = 'completed' then $4 else completed_at end
           where id = $1 returning ${columns}`,
    values: [id, result === null ? null : JSON.stringify(result), end, at],
  });
}
