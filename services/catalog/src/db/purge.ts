import { purgedDeadLetterEvents, purgedOperations, type PurgePlan } from '@bv/events';

const ofBrand = 'brand_id in (select id from brands where org_id = $1)';

/** Deletes the brands and prompts of an organisation. Its id stays, without its name. */
export const purgePlan: PurgePlan = {
  tables: [
    { table: 'operation_progress', rows: ofBrand },
    { table: 'brand_changes', rows: ofBrand },
    { table: 'brand_competitors', rows: 'org_id = $1' },
    { table: 'prompts', rows: 'org_id = $1' },
    { table: 'prompt_counts', rows: 'org_id = $1' },
    { table: 'scan_allowances', rows: 'org_id = $1' },
    purgedDeadLetterEvents,
    purgedOperations,
    { table: 'brands', rows: 'org_id = $1' },
  ],
  clear: `update orgs set name = 'deleted', overrides = '{}'
          where id = $1 and deleted_at is not null and (name, overrides) is distinct from ('deleted', '{}'::jsonb)`,
};
