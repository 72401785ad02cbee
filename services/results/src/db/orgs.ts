import type { EventData, orgChanged } from '@bv/events';
import { execute, type Queryable } from '@bv/postgres';

/** Stores the part of an organisation's state that this service uses, if it is newer. */
export function upsertOrg(
  db: Queryable,
  { id, retention, deleted_at: deletedAt }: EventData<typeof orgChanged>,
  version: number,
): Promise<number> {
  return execute(db, {
    name: 'results.upsert_org',
    text: `insert into orgs (id, answer_text_days, unit_days, deleted_at, version) values ($1, $2, $3, $4, $5)
           on conflict (id) do update set
             answer_text_days = excluded.answer_text_days, unit_days = excluded.unit_days,
             deleted_at = excluded.deleted_at, version = excluded.version
           where orgs.version < excluded.version`,
    values: [id, retention.answer_text_days, retention.unit_days, deletedAt, version],
  });
}
