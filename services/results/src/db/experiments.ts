import type { ExperimentResult } from '@bv/contract';
import {
  execute,
  limitPageBytes,
  many,
  maybeOne,
  type Paged,
  one,
  type Queryable,
  type Transaction,
} from '@bv/postgres';
import type { ExperimentRow } from '../domain/experiment.ts';

const given = `id, org_id, created_at, brand_id, name, metric, starts_on, pre_from, post_from, post_to, treated_prompt_ids,
  treated_tags, control_prompt_ids, control_tags, platforms, countries, note, smallest_detectable`;
const columns = `${given}, stopped_at, completed_at, result, is_outdated`;

const isOpen = 'stopped_at is null and completed_at is null';

export type NewExperiment = Omit<
  ExperimentRow,
  'created_at' | 'stopped_at' | 'completed_at' | 'result' | 'is_outdated'
> & {
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

export type ExperimentKey = { id: string; orgId: string; brandId: string };

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
): Promise<Paged<ExperimentRow>[]> {
  return many<Paged<ExperimentRow>>(db, {
    name: 'results.list_experiments',
    text: limitPageBytes({
      rows: `select ${columns} from experiments
             where brand_id = $1 and (created_at, id) < ($2, $3::uuid)
             order by created_at desc, id desc limit $4`,
      columns,
      order: 'created_at desc, id desc',
      bytes: 'pg_column_size(sized.*)',
    }),
    values: [page.brandId, page.before.createdAt, page.before.id, page.limit],
  });
}

export type DueExperiment = { id: string; org_id: string; brand_id: string };

/** The first experiment behind `after` that ended before `today` and is not completed, or has an outdated result. */
export function findDueExperiment(
  db: Queryable,
  { today, after }: { today: string; after: string | null },
): Promise<DueExperiment | undefined> {
  return maybeOne<DueExperiment>(db, {
    name: 'results.find_due_experiment',
    // With "or" instead, Postgres would use neither partial index.
    text: `select id, org_id, brand_id from (
             select * from experiments where ${isOpen} and post_to < $1
             union all select * from experiments where is_outdated) due
           where $2::uuid is null or id > $2 order by id limit 1`,
    values: [today, after],
  });
}

/**
 * Marks the results of ended experiments that a day belongs to: none after the UTC day of the stop. The caller holds the
 * lock of the brand's token row.
 */
export function updateExperimentsOutdated(db: Queryable, brandId: string, runDate: string): Promise<number> {
  return execute(db, {
    name: 'results.update_experiments_outdated',
    text: `update experiments set is_outdated = true
           where brand_id = $1
             and $2::date between pre_from and least(post_to, (stopped_at at time zone 'UTC')::date)
             and (stopped_at is not null or completed_at is not null) and not is_outdated`,
    values: [brandId, runDate],
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
    text: `update experiments set result = $2, is_outdated = false,
             stopped_at = case when $3 = 'stopped' then $4 else stopped_at end,
             completed_at = case when $3 = 'completed' then $4 else completed_at end
           where id = $1 returning ${columns}`,
    values: [id, result === null ? null : JSON.stringify(result), end, at],
  });
}
