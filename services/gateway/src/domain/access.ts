import { ApiError } from '@bv/contract';
import type { Operation } from '@bv/contract';

export type LinkScope = 'read_only' | 'read_write';

/** A valid key with everything that decides what it may do, as read for this request. */
export type Access = {
  keyId: string;
  keyPrefix: string;
  owner: { kind: 'organisation' | 'partner'; id: string };
  scopes: ('read' | 'write')[];
  perMinute: number;
  monthlyQuota: number | null;
  /** Whether the tier of the key's own organisation includes the API. Always true for partners, which have no tier. */
  entitled: boolean;
  /** The link of a partner to the organisation in the path; null for other keys and paths. */
  link: { scope: LinkScope; externalRef: string | null } | null;
};

/** What the database stores about a presented key. */
export type AccessRow = {
  key_id: string;
  key_prefix: string;
  scopes: ('read' | 'write')[];
  per_minute: number;
  monthly_quota: number | null;
  org_id: string | null;
  partner_id: string | null;
  revoked: boolean;
  expired: boolean;
  partner_active: boolean | null;
  api_access: boolean | null;
  /** State of the key's own organisation, or for a partner of the one in the path; null when it is unknown. */
  org_deleted: boolean | null;
  link_scope: LinkScope | null;
  external_ref: string | null;
};

/** The access that a key gives; undefined for every reason of a 401. */
export function resolveAccess(row: AccessRow | undefined): Access | undefined {
  if (row === undefined || row.revoked || row.expired) return undefined;
  const { key_id: keyId, key_prefix: keyPrefix, scopes, per_minute: perMinute } = row;
  const key = { keyId, keyPrefix, scopes, perMinute, monthlyQuota: row.monthly_quota };
  if (row.org_id !== null) {
    if (row.org_deleted !== false) return undefined;
    const owner = { kind: 'organisation', id: row.org_id } as const;
    return { ...key, owner, entitled: row.api_access === true, link: null };
  }
  if (row.partner_id === null || row.partner_active !== true) return undefined;
  const linked = row.link_scope !== null && row.org_deleted === false;
  return {
    ...key,
    owner: { kind: 'partner', id: row.partner_id },
    entitled: true,
    link: linked && row.link_scope !== null ? { scope: row.link_scope, externalRef: row.external_ref } : null,
  };
}

/** Whether the organisation is the key's own, or linked to the key's partner account. */
export function canAccessOrg(access: Access, orgId: string): boolean {
  return access.owner.kind === 'organisation' ? access.owner.id === orgId : access.link !== null;
}

/** The refusal of a write, or undefined. The link counts only for operations with an organisation in the path. */
export function refuseWrite(access: Access, operation: Operation): ApiError | undefined {
  if (operation.access === 'read') return undefined;
  if (!access.scopes.includes('write')) return new ApiError('write_scope_required');
  if (isOrgScoped(operation) && access.link?.scope === 'read_only') {
    return new ApiError('link_scope_insufficient');
  }
  return undefined;
}

export function refuseOrganisationKey(access: Access, operation: Operation): ApiError | undefined {
  return operation.partnerOnly && access.owner.kind === 'organisation'
    ? new ApiError('partner_only')
    : undefined;
}

export function isOrgScoped(operation: Operation): boolean {
  return operation.path.includes('{orgId}');
}
