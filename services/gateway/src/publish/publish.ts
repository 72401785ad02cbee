import { linkChanged, partnerChanged, publishEvent } from '@bv/events';
import type { Transaction } from '@bv/postgres';
import type { PartnerLinkRow } from '../db/partner-links.ts';
import type { PartnerRow } from '../db/partners.ts';

export async function publishLink(tx: Transaction, link: PartnerLinkRow): Promise<string> {
  const { partner_id, org_id, scope, external_ref, active, updated_at } = link;
  return publishEvent(tx, linkChanged, {
    aggregateId: `${partner_id}:${org_id}`,
    version: link.version,
    data: { partner_id, org_id, scope, external_ref, active, updated_at },
  });
}

export async function publishPartner(tx: Transaction, partner: PartnerRow): Promise<string> {
  const { id, name, status, updated_at } = partner;
  return publishEvent(tx, partnerChanged, {
    aggregateId: id,
    version: partner.version,
    data: { id, name, status, updated_at },
  });
}
