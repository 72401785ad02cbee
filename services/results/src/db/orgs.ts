import type { EventData, orgChanged } from '@bv/events';
import { execute, type Queryable } from '@bv/postgres';

/**
 * Stores the part of an organisation's state that this service uses, if it is newer. A state of an earlier release has no
 * retention: the stored one stays, and a later state of the same version adds it.
 */
export function upsertOrg(
  db: Queryable,
  { id, retention, deleted_at: deletedAt }: EventData<typeof orgChanged>,
  version: number,
): Promise<number> {
  return execute(db, {
    name: 'results.upsert_org',
    text: `insert into orgs (id, answer_text_days, unit_days, deleted_at, version) values ($1, $2, $3, $4, $5)
           on conflict (id) do update set
             answer_text_days = case when $6 then excluded.answer_text_days else orgs.answer_text_days end,
             unit_days = case when $6 then excluded.unit_days else orgs.unit_days end,
             deleted_at = excluded.deleted_at, version = excluded.version
           where orgs.version < excluded.version or ($6 and orgs.version = excluded.version)`,
    values: [
      id,
      retention?.answer_text_days ?? null,
      retention?.unit_days ?? null,
      deletedAt,
      version,
      retention !== undefined,
    ],
  });
}
