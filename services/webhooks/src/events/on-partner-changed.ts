import type { TypedEnvelope, partnerChanged } from '@bv/events';
import type { Transaction } from '@bv/postgres';
import { upsertPartner } from '../db/partners.ts';

export async function onPartnerChanged(
  tx: Transaction,
  { data, version }: TypedEnvelope<typeof partnerChanged>,
): Promise<void> {
  await upsertPartner(tx, { id: data.id, status: data.status, version });
}
