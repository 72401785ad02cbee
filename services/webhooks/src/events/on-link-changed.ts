import type { TypedEnvelope, linkChanged } from '@bv/events';
import type { Transaction } from '@bv/postgres';
import { upsertLink } from '../db/links.ts';

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
