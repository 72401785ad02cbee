import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { brandChanged, promptChanged, unitFinalised } from '@bv/events';
import { eventually } from '@bv/testkit';
import { brandData, type Harness, promptData, startResults, unitData, knows } from './harness.ts';

let results: Harness;
beforeAll(async () => {
  results = await startResults({ now: () => new Date('2026-11-21T12:00:00Z') });
});
afterAll(() => results.stop());

/** Makes Postgres reject every read of units whose plan may use a bitmap scan and a sort. */
const forbidBitmapScans = `
  create function index_order() returns boolean language plpgsql as $$
  begin
    if current_setting('enable_bitmapscan') = 'on' then raise exception 'bitmap scans are enabled'; end if;
    return true;
  end $$;
  alter table units rename to stored_units;
  create view units as select * from stored_units where index_order()`;

test('lists of units are read by an index scan, whatever the planner estimates', async () => {
  const own = brandData();
  const prompt = promptData(own);
  await results.emit(brandChanged, own.id, 1, own);
  await results.emit(promptChanged, prompt.id, 1, prompt);
  for (let count = 0; count < 3; count += 1) {
    const unit = unitData(prompt, [{ ...own, position: 1 }], { finalized_at: '2026-11-20T10:00:00.000000Z' });
    await results.emit(unitFinalised, unit.unit_id, 1, unit);
  }
  await knows(results, { brands: [own], prompts: [prompt] });
  await eventually(async () => expect(await results.query('select 1 from units')).toHaveLength(3));
  await results.db.query(forbidBitmapScans);
  await expect(results.db.query('select 1 from units')).rejects.toThrow('bitmap scans are enabled');
  const org = `/orgs/${own.org_id}`;
  for (const path of [`${org}/brands/${own.id}/mentions`, `${org}/prompts/${prompt.id}/results`]) {
    const first = await results.get(own.org_id, `${path}?limit=2`);
    expect([first.status, first.body.data.length]).toEqual([200, 2]);
    const next = await results.get(own.org_id, `${path}?cursor=${first.body.pagination.next_cursor}`);
    expect([next.status, next.body.data.length]).toEqual([200, 1]);
  }
});
