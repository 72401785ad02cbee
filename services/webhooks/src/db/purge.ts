import type { PurgePlan } from '@bv/events';

const ofBrand = 'brand_id in (select id from brands where org_id = $1)';

/** Deletes events, deliveries and subscriptions of an organisation, once no delivery is in flight. Its id stays. */
export const purgePlan: PurgePlan = {
  busy: `select from deliveries where org_id = $1 and status = 'delivering' limit 1`,
  tables: [
    { table: 'deliveries', rows: 'org_id = $1 or event_id in (select id from events where org_id = $1)' },
    { table: 'events', rows: 'org_id = $1' },
    { table: 'subscriptions', rows: `org_id = $1 or ${ofBrand}` },
    { table: 'threshold_states', rows: ofBrand },
    { table: 'change_states', rows: ofBrand },
    { table: 'links', rows: 'org_id = $1' },
    { table: 'dead_events', rows: 'strpos(envelope::text, $1::uuid::text) > 0' },
    { table: 'brands', rows: 'org_id = $1' },
  ],
};
