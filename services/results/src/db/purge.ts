import { purgedDeadLetterEvents, purgedOperations, type PurgePlan } from '@bv/events';
import { ofUnits as inUnits } from './units.ts';

const ownBrands =
  'select id from brands where org_id = $1 union select brand_id from brand_tokens where org_id = $1';
const ofOwnBrands = `own_brand_id in (${ownBrands})`;

const brandTables = [
  {
    table: 'units',
    column: 'brand_id',
    dependents: ['unit_sources', 'unit_brands'].map((table) => ({ table, rows: inUnits })),
  },
  { table: 'unit_markets', column: 'brand_id' },
  { table: 'source_pages', column: 'brand_id' },
  { table: 'source_days', column: 'brand_id' },
  { table: 'share_of_voice', column: 'own_brand_id' },
  { table: 'scores', column: 'brand_id' },
  { table: 'window_scores', column: 'brand_id' },
  { table: 'cell_days', column: 'brand_id' },
  { table: 'name_days', column: 'brand_id' },
  { table: 'name_judgements', column: 'brand_id' },
  { table: 'competitor_sets', column: 'own_brand_id' },
  { table: 'answered_days', column: 'brand_id' },
  { table: 'evaluated_days', column: 'brand_id' },
  { table: 'unscored_days', column: 'brand_id' },
];
const isEmpty = brandTables
  .map(({ table, column }) => `not exists (select 1 from ${table} where ${column} = $1)`)
  .join(' and ');

/** Deletes the results of an organisation. Tokens and brands come last: they say which rows are its own. */
export const purgePlan: PurgePlan = {
  brands: {
    list: ownBrands,
    lock: 'select 1 from brand_tokens where brand_id = $1 for update',
    tables: [
      ...brandTables,
      // A writer may have added rows meanwhile. Without its token, no run would find the rows of a brand.
      { table: 'brand_tokens', column: 'brand_id', condition: isEmpty },
    ],
  },
  tables: [
    { table: 'unit_brands', rows: ofOwnBrands, isRemovedWithOthers: true },
    { table: 'unit_sources', rows: ofOwnBrands, isRemovedWithOthers: true },
    { table: 'reprocess_jobs', rows: 'org_id = $1' },
    { table: 'experiments', rows: 'org_id = $1' },
    { table: 'scans', rows: 'org_id = $1' },
    { table: 'prompts', rows: 'org_id = $1' },
    purgedDeadLetterEvents,
    purgedOperations,
    { table: 'brands', rows: 'org_id = $1' },
  ],
};
