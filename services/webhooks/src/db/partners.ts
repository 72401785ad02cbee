import { execute, type Transaction } from '@bv/postgres';

export type PartnerVersion = { id: string; status: 'active' | 'suspended'; version: number };

export async function upsertPartner(tx: Transaction, partner: PartnerVersion): Promise<void> {
  await execute(tx, {
    name: 'webhooks.upsert_partner',
    text: `insert into partners (id, status, version) values ($1, $2, $3)
      on conflict (id) do update set status = excluded.status, version = excluded.version
      where partners.version < excluded.version`,
    values: [partner.id, partner.status, partner.version],
  });
}

/**
 * Locks the partner while its endpoints are counted and inserted. A partner that calls is active, even when its event
 * has not arrived yet. Every event has a newer version than 0.
 */
export async function lockPartner(tx: Transaction, id: string): Promise<void> {
  await execute(tx, {
    name: 'webhooks.insert_unknown_partner',
    text: `insert into partners (id, status, version) values ($1, 'active', 0) on conflict (id) do nothing`,
    values: [id],
  });
  await execute(tx, {
    name: 'webhooks.lock_partner',
    text: 'select from partners where id = $1 for no key update',
    values: [id],
  });
}
