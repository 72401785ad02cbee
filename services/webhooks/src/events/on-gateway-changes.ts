import type { TypedEnvelope, linkChanged, partnerChanged } from '@bv/events';
import type { Transaction } from '@bv/postgres';
import { upsertLink, upsertPartner } from '../db/projections.ts';

export async function onPartnerChanged(
  tx: Transaction,
  { data, version }: TypedEnvelope<typeof partnerChanged>,
): Promise<void> {
  await upsertPartner(tx, { id: data.id, status: data.status, version });
}

export async function onLinkChanged(
  tx: Transaction,
  { data, version }: TypedEnvelope<typeof linkChanged>,
): Promise<void> {
  await upsertLink(tx, {
    partnerId: data.partner_id,
    orgId: data.org_id,
    externalRef: data.external_ref,
    active: data.active,
    version,
  });
}
