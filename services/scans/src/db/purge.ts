import { purgedDeadLetterEvents, purgedOperations, type PurgePlan } from '@bv/events';

/** Deletes the scans of an organisation, after the last one has ended. Its id stays. */
export const purgePlan: PurgePlan = {
  busy: `select from scan_jobs where org_id = $1 and status in ('queued', 'running') limit 1`,
  brands: {
    list: 'select id from brands where org_id = $1',
    // The schedule holds this row while it adds a run. Without it, no purge would find the run.
    lock: 'select from brands where id = $1 for update',
    tables: [
      { table: 'schedule_runs', column: 'brand_id' },
      {
        table: 'brands',
        column: 'id',
        condition: 'not exists (select from schedule_runs where brand_id = $1)',
      },
    ],
  },
  tables: [
    { table: 'scan_units', rows: 'job_id in (select id from scan_jobs where org_id = $1)' },
    { table: 'scan_jobs', rows: 'org_id = $1' },
    { table: 'answer_months', rows: 'org_id = $1' },
    { table: 'org_allowances', rows: 'org_id = $1' },
    { table: 'virtual_times', rows: 'org_id = $1' },
    purgedDeadLetterEvents,
    purgedOperations,
  ],
};
