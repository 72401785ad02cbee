import { purgedDeadLetterEvents, purgedOperations, type PurgePlan } from '@bv/events';

const ofBrand = ['threshold_states', 'change_states'];
const isEmpty = ofBrand.map((table) => `not exists (select from ${table} where brand_id = $1)`).join(' and ');

/** Deletes events, deliveries and subscriptions of an organisation, once no delivery is in flight. Its id stays. */
export const purgePlan: PurgePlan = {
  busy: `select from deliveries where org_id = $1 and status = 'delivering' limit 1`,
  brands: {
    list: 'select id from brands where org_id = $1',
    // Those who add states hold this row too. Without it, no run would find the states.
    lock: 'select from brands where id = $1 for update',
    tables: [
      ...ofBrand.map((table) => ({ table, column: 'brand_id' })),
      { table: 'brands', column: 'id', condition: isEmpty },
    ],
  },
  tables: [
    {
      table: 'deliveries',
      rows: 'event_id in (select id from events where org_id = $1)',
      isRemovedWithOthers: true,
    },
    {
      table: 'events',
      rows: 'org_id = $1',
      dependents: [{ table: 'deliveries', rows: 'event_id = any($2::uuid[])' }],
    },
    // One for a brand has the organisation of the brand.
    { table: 'subscriptions', rows: 'org_id = $1' },
    { table: 'links', rows: 'org_id = $1' },
    purgedDeadLetterEvents,
    purgedOperations,
  ],
};
