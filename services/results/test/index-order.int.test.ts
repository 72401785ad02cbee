import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { listMentions, listPromptResults } from '@bv/contract';
import { unitData } from './events.ts';
import {
  addBrand,
  type Results,
  startResults,
  toBrandParams,
  toPromptParams,
  waitForUnits,
} from './results.ts';

let results: Results;
beforeAll(async () => {
  results = await startResults();
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
  const { own, prompt } = await addBrand(results);
  const finalized_at = '2026-11-20T10:00:00.000000Z';
  for (let count = 0; count < 3; count += 1) {
    await results.emitUnit(unitData(prompt, [{ ...own, position: 1 }], { finalized_at }));
  }
  await waitForUnits(results, own, 3);
  await results.sql.query(forbidBitmapScans);
  await expect(results.sql.query('select 1 from units')).rejects.toThrow('bitmap scans are enabled');
  const lists = [
    (query: string) => results.call(listMentions, { params: toBrandParams(own), query }),
    (query: string) => results.call(listPromptResults, { params: toPromptParams(prompt), query }),
  ];
  for (const list of lists) {
    const first = await list('limit=2');
    expect(first.data).toHaveLength(2);
    expect((await list(`cursor=${first.pagination.next_cursor}`)).data).toHaveLength(1);
  }
});
