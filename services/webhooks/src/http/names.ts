import { callRpc, findNamesRpc, type Nats } from '@bv/events';

type Owned = { partner_id: string; org_id?: string | null };
type NamesOf = (owned: Owned) => {
  partner_id: string;
  partner_name: string | null;
  org_id: string | null;
  org_name: string | null;
};

const unique = (ids: readonly (string | null | undefined)[]): string[] => [
  ...new Set(ids.filter((id) => id !== null && id !== undefined)),
];

/** Asks the gateway for the names of the partners and organisations of these rows. */
export async function findNames(nats: Nats, rows: readonly Owned[]): Promise<NamesOf> {
  const { partners, orgs } = await callRpc(nats, findNamesRpc, {
    partner_ids: unique(rows.map(({ partner_id }) => partner_id)),
    org_ids: unique(rows.map(({ org_id }) => org_id)),
  });
  return ({ partner_id, org_id = null }) => ({
    partner_id,
    partner_name: partners[partner_id] ?? null,
    org_id,
    org_name: org_id === null ? null : (orgs[org_id] ?? null),
  });
}
