import type {
  ApiKey,
  KeyIntrospection,
  MintedApiKey,
  NamedPartnerLink,
  Organisation,
  Partner,
  PartnerLink,
} from '@bv/contract';
import type { MintedKey } from '../commands/mint-key.ts';
import type { ApiKeyRow, KeyOwner, KeyUsageRow } from '../db/api-keys.ts';
import type { LinkedOrgRow, NamedLinkRow, PartnerLinkRow } from '../db/partner-links.ts';
import type { PartnerRow } from '../db/partners.ts';
import type { OrgAccessRow } from '../db/org-access.ts';

/** Times of the API have milliseconds. */
export function presentTime(text: string): string {
  return new Date(text).toISOString();
}

function presentTimeOrNull(text: string | null): string | null {
  return text === null ? null : presentTime(text);
}

/** `created_at` is the text that catalog sent, so that both services return the same one. */
export function presentOwnOrg(row: OrgAccessRow): Organisation {
  const { org_id: id, name } = row;
  return { id, name, link_scope: 'owner', external_ref: null, created_at: row.created_at };
}

export function presentLinkedOrg(row: LinkedOrgRow): Organisation {
  return {
    id: row.org_id,
    name: row.name,
    link_scope: row.scope,
    external_ref: row.external_ref,
    created_at: row.created_at,
  };
}

export function presentApiKey(row: ApiKeyRow): ApiKey {
  return {
    ...row,
    expires_at: presentTimeOrNull(row.expires_at),
    revoked_at: presentTimeOrNull(row.revoked_at),
    created_at: presentTime(row.created_at),
  };
}

export function presentKeyIntrospection(row: KeyUsageRow): KeyIntrospection {
  const { monthly_quota: quota, used, resets_at, expires_at, ...key } = row;
  return {
    ...key,
    kind: row.partner_id === null ? 'organisation' : 'partner',
    expires_at: presentTimeOrNull(expires_at),
    monthly: { quota, used, resets_at: presentTime(resets_at) },
  };
}

export function presentMintedKey({ row, key }: MintedKey): MintedApiKey {
  return { ...presentApiKey(row), key };
}

export function presentPartner({ version: _, ...row }: PartnerRow): Partner {
  return { ...row, created_at: presentTime(row.created_at), updated_at: presentTime(row.updated_at) };
}

/** A key belongs to an organisation or to a partner. */
export function presentKeyOwner({ org_id, partner_id, owner_name }: KeyOwner) {
  return org_id === null
    ? { owner_kind: 'partner' as const, owner_id: partner_id ?? '', owner_name }
    : { owner_kind: 'organisation' as const, owner_id: org_id, owner_name };
}

export function presentPartnerLink({ version: _, active: __, ...row }: PartnerLinkRow): PartnerLink {
  return { ...row, created_at: presentTime(row.created_at), updated_at: presentTime(row.updated_at) };
}

export function presentNamedLink({ partner_name, org_name, ...link }: NamedLinkRow): NamedPartnerLink {
  return { ...presentPartnerLink(link), partner_name, org_name };
}
