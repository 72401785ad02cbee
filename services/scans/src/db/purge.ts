import type { PurgePlan } from '@bv/events';

const ofBrand = 'brand_id in (select id from brands where org_id = $1)';

/** Deletes the scans of an organisation, after the last one has ended. Its id stays. */
export const purgePlan: PurgePlan = {
  busy: `select from scan_jobs where org_id = $1 and status in ('queued', 'running') limit 1`,
  tables: [
    { table: 'scan_units', rows: 'job_id in (select id from scan_jobs where org_id = $1)' },
    { table: 'scan_jobs', rows: 'org_id = $1' },
    { table: 'schedule_runs', rows: ofBrand },
    { table: 'org_allowances', rows: 'org_id = $1' },
    { table: 'org_turns', rows: 'org_id = $1' },
    { table: 'dead_events', rows: 'strpos(envelope::text, $1::uuid::text) > 0' },
    { table: 'brands', rows: 'org_id = $1' },
  ],
};
