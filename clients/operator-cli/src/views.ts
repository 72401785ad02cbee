import {
  operatorCreateOrgKey,
  operatorCreatePartnerKey,
  operatorGetDeadEvent,
  operatorGetWebhookEvent,
  operatorListDeadEvents,
  operatorListEndpointDeliveries,
  operatorListEndpoints,
  operatorListOrgBrands,
  operatorListOrgKeys,
  operatorListOrgLinks,
  operatorListOrgPrompts,
  operatorListOrgs,
  operatorListBrandPrompts,
  operatorListPartnerKeys,
  operatorListPartnerLinks,
  operatorListTiers,
  operatorListUsage,
} from '@bv/contract';

/** How tables show wide data, by operation id. `--json` always prints everything. */
type View = {
  /** Columns of a list. */
  columns?: readonly string[];
  /** Field of an item that is printed as JSON below the table. */
  block?: string;
  /** Fields whose null means any number, in addition to those that always do. */
  unlimited?: readonly string[];
  /** Field that no later response has. */
  secret?: string;
};

const keys = [
  'id',
  'name',
  'key_prefix',
  'scopes',
  'per_minute',
  'monthly_quota',
  'expires_at',
  'revoked_at',
];
const links = ['partner_id', 'partner_name', 'org_id', 'org_name', 'scope', 'external_ref'];
const prompts = ['id', 'brand_name', 'text', 'countries', 'active', 'created_at'];

const views: Partial<Record<string, View>> = {
  [operatorListOrgs.id]: { columns: ['id', 'name', 'tier', 'created_at', 'updated_at'] },
  [operatorListTiers.id]: { unlimited: ['prompts', 'own_brands', 'countries', 'manual_scans'] },
  [operatorCreateOrgKey.id]: { secret: 'key' },
  [operatorCreatePartnerKey.id]: { secret: 'key' },
  [operatorListOrgKeys.id]: { columns: keys },
  [operatorListPartnerKeys.id]: { columns: keys },
  [operatorListOrgLinks.id]: { columns: links },
  [operatorListPartnerLinks.id]: { columns: links },
  [operatorListUsage.id]: {
    columns: ['key_id', 'key_prefix', 'key_name', 'owner_kind', 'owner_name', 'month', 'used', 'quota'],
  },
  [operatorListOrgBrands.id]: {
    columns: ['id', 'name', 'domain', 'is_own', 'external_ref', 'sunset_at', 'created_at'],
  },
  [operatorListOrgPrompts.id]: { columns: prompts },
  [operatorListBrandPrompts.id]: { columns: prompts },
  [operatorListEndpoints.id]: {
    columns: ['id', 'partner_name', 'url', 'status', 'consecutive_failures', 'last_success_at'],
  },
  [operatorListEndpointDeliveries.id]: {
    columns: [
      'id',
      'event_type',
      'org_name',
      'status',
      'attempts',
      'last_status_code',
      'last_error',
      'created_at',
    ],
  },
  [operatorListDeadEvents.id]: { columns: ['id', 'consumer', 'type', 'attempts', 'error'] },
  [operatorGetDeadEvent.id]: { block: 'message' },
  [operatorGetWebhookEvent.id]: { block: 'body' },
};

export const getView = (operationId: string): View => views[operationId] ?? {};
