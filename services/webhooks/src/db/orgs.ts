import { execute, type Transaction } from '@bv/postgres';

export async function upsertOrg(
  tx: Transaction,
  org: { id: string; deletedAt: string | null; version: number },
): Promise<void> {
  await execute(tx, {
    name: 'webhooks.upsert_org',
    text: `insert into orgs (id, deleted_at, version) values ($1, $2, $3)
      on conflict (id) do update set deleted_at = excluded.deleted_at, version = excluded.version
      where orgs.version < excluded.version`,
    values: [org.id, org.deletedAt, org.version],
  });
}
