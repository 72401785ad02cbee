import { maybeOne, one } from '@bv/postgres';
import type { Queryable, Transaction } from '@bv/postgres';

export type PartnerRow = {
  id: string;
  name: string;
  status: 'active' | 'suspended';
  version: number;
  created_at: string;
  updated_at: string;
};

const columns = 'id, name, status, version, created_at, updated_at';

export async function insertPartner(tx: Transaction, id: string, name: string): Promise<PartnerRow> {
  return one(tx, {
    name: 'gateway.insert_partner',
    text: `insert into partners (id, name) values ($1, $2) returning ${columns}`,
    values: [id, name],
  });
}

export async function findPartner(db: Queryable, id: string): Promise<PartnerRow | undefined> {
  return maybeOne(db, {
    name: 'gateway.find_partner',
    text: `select ${columns} from partners where id = $1`,
    values: [id],
  });
}

export async function updatePartnerStatus(
  tx: Transaction,
  id: string,
  status: PartnerRow['status'],
): Promise<PartnerRow | undefined> {
  return maybeOne(tx, {
    name: 'gateway.update_partner_status',
    text: `update partners set status = $2, version = version + 1, updated_at = now()
           where id = $1 returning ${columns}`,
    values: [id, status],
  });
}
