import type { EnvelopeOf, linkChanged } from '@bv/events';
import type { Transaction } from '@bv/postgres';
import { upsertLink } from '../db/links.ts';

export async function onLinkChanged(
  tx: Transaction,
  { data, version }: EnvelopeOf<typeof linkChanged>,
): Promise<void> {
  await upsertLink(tx, {
    partnerId: data.partner_id,
    orgId: data.org_id,
    externalRef: data.external_ref,
    active: data.active,
    version,
  });
}
