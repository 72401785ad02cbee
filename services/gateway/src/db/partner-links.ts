import { many, maybeOne, one } from '@bv/postgres';
import type { Queryable, Transaction } from '@bv/postgres';
import type { LinkScope } from '../domain/access.ts';

export type PartnerLinkRow = {
  partner_id: string;
  org_id: string;
  scope: LinkScope;
  external_ref: string | null;
  active: boolean;
  version: number;
  created_at: string;
  updated_at: string;
};

export type LinkInput = {
  partnerId: string;
  orgId: string;
  scope: LinkScope;
  /** Undefined keeps the reference of an active link. */
  externalRef: string | null | undefined;
};

const columns = 'partner_id, org_id, scope, external_ref, active, version, created_at, updated_at';

/** A link that is created again after a revocation starts without its former reference. */
export async function upsertLink(tx: Transaction, link: LinkInput): Promise<PartnerLinkRow> {
  return one(tx, {
    name: 'gateway.upsert_link',
    text: `insert into partner_links as l (partner_id, org_id, scope, external_ref)
           values ($1, $2, $3, $4)
           on conflict (partner_id, org_id) do update set scope = excluded.scope, active = true,
             external_ref = case when $5 or not l.active then excluded.external_ref else l.external_ref end,
             created_at = case when l.active then l.created_at else now() end,
             version = l.version + 1, updated_at = now()
           returning ${columns}`,
    values: [
      link.partnerId,
      link.orgId,
      link.scope,
      link.externalRef ?? null,
      link.externalRef !== undefined,
    ],
  });
}

type LinkId = { partnerId: string; orgId: string };

export async function updateLinkRevoked(tx: Transaction, id: LinkId): Promise<PartnerLinkRow | undefined> {
  return maybeOne(tx, {
    name: 'gateway.update_link_revoked',
    text: `update partner_links set active = false, version = version + 1, updated_at = now()
           where partner_id = $1 and org_id = $2 and active returning ${columns}`,
    values: [id.partnerId, id.orgId],
  });
}

export async function updateLinkExternalRef(
  tx: Transaction,
  id: LinkId,
  externalRef: string | null,
): Promise<PartnerLinkRow | undefined> {
  return maybeOne(tx, {
    name: 'gateway.update_link_external_ref',
    text: `update partner_links set external_ref = $3, version = version + 1, updated_at = now()
           where partner_id = $1 and org_id = $2 and active returning ${columns}`,
    values: [id.partnerId, id.orgId, externalRef],
  });
}

export type NamedLinkRow = PartnerLinkRow & { partner_name: string; org_name: string };
type LinkPage = { ownerId: string; afterId: string | null; limit: number };

const namedColumns = `l.partner_id, l.org_id, l.scope, l.external_ref, l.active, l.version, l.created_at, l.updated_at,
  p.name as partner_name, o.name as org_name`;
const namedLinks = `partner_links l join partners p on p.id = l.partner_id join org_access o on o.org_id = l.org_id`;

/** Active links of a partner to organisations that are not deleted. */
export async function listPartnerLinks(db: Queryable, page: LinkPage): Promise<NamedLinkRow[]> {
  return many(db, {
    name: 'gateway.list_partner_links',
    text: `select ${namedColumns} from ${namedLinks}
           where l.partner_id = $1 and l.active and o.deleted_at is null and ($2::uuid is null or l.org_id > $2)
           order by l.org_id limit $3`,
    values: [page.ownerId, page.afterId, page.limit],
  });
}

/** Active links to an organisation. */
export async function listOrgLinks(db: Queryable, page: LinkPage): Promise<NamedLinkRow[]> {
  return many(db, {
    name: 'gateway.list_org_links',
    text: `select ${namedColumns} from ${namedLinks}
           where l.org_id = $1 and l.active and ($2::uuid is null or l.partner_id > $2)
           order by l.partner_id limit $3`,
    values: [page.ownerId, page.afterId, page.limit],
  });
}

export type LinkedOrgRow = {
  org_id: string;
  name: string;
  created_at: string;
  scope: LinkScope;
  external_ref: string | null;
};

export async function listLinkedOrgs(
  db: Queryable,
  page: { partnerId: string; afterId: string | null; limit: number },
): Promise<LinkedOrgRow[]> {
  return many(db, {
    name: 'gateway.list_linked_orgs',
    text: `select o.org_id, o.name, o.created_at, l.scope, l.external_ref
           from partner_links l join org_access o on o.org_id = l.org_id
           where l.partner_id = $1 and l.active and o.deleted_at is null
             and ($2::uuid is null or l.org_id > $2)
           order by l.org_id limit $3`,
    values: [page.partnerId, page.afterId, page.limit],
  });
}
