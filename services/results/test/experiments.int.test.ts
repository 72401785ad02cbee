import { expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { getExperiment, listBrandSummaries, stopExperiment } from '@bv/contract';
import { promptChanged } from '@bv/events';
import { addComparedBrand, toBody } from './compared-arms.ts';
import { brandData, promptData } from './events.ts';
import { useExperiments } from './experiment-calls.ts';
import { addToCatalog, toBrandParams, waitUntilHandled } from './results.ts';
import { endRetention } from './retention.ts';

const { service, newPrompts, setToday, maintain, create, read, stop, list, readEvents } = useExperiments();
const addBrand = (gain?: boolean) => addComparedBrand(service(), gain);

test('it runs without a verdict, and is completed once, with its event, after its last day', async () => {
  const { own, promptIds } = await addBrand();
  setToday('2026-11-03');
  const created = await create(own, toBody(promptIds, { note: 'Launch' }));
  expect(created.status).toBe(201);
  const { id, design } = created.data;
  expect(created.data).toMatchObject({
    brand_id: own.id,
    name: 'New product pages',
    metric: 'mention_rate',
    status: 'registered',
    preregistered: true,
    registered_at: '2026-11-03T12:00:00.000000Z',
    pre: { from: '2026-10-21', to: '2026-11-03' },
    post: { from: '2026-11-07', to: '2026-11-20' },
    treated: { prompt_ids: promptIds.slice(0, 6), tags: [] },
    platforms: null,
    countries: null,
    note: 'Launch',
    result: null,
  });
  expect(design).toEqual({ treated_prompts: 6, control_prompts: 6, smallest_detectable: null });

  setToday('2026-11-20');
  await maintain();
  const running = await read(own, id);
  expect(running).toMatchObject({
    status: 'running',
    result: { final: false, verdict: null, p_value: null, placebo: null, reasons: [] },
  });
  expect(running.result!.effect!.low).toBeGreaterThan(0);
  expect(running.result!.treated).toMatchObject({ prompts: 6, units_before: 84, units_after: 84 });
  expect((await list(own)).data[0]).toMatchObject({ id, result: null });

  setToday('2026-11-21');
  const completed = await read(own, id);
  expect(completed).toMatchObject({ status: 'completed', result: { final: true, verdict: 'up' } });
  // Only the splits into these two arms differ as much: 2 of 924.
  expect(completed.result!.p_value).toBe(0.0022);
  await Promise.all([maintain(), maintain()]);
  await maintain();
  const events = await readEvents(id);
  expect(events.map(({ data }) => data)).toMatchObject([
    { brand_id: own.id, brand: { id: own.id, name: own.name }, experiment: completed },
  ]);
  expect((await list(own)).data[0]).toEqual(completed);
});

test('one that is over when it is registered is completed at once', async () => {
  const { own, promptIds } = await addBrand(false);
  const { data } = await create(own, toBody(promptIds, { post_days: 10 }));
  expect(data).toMatchObject({
    status: 'completed',
    preregistered: false,
    result: { verdict: 'no_evidence', final: true },
  });
  expect(await readEvents(data.id)).toHaveLength(1);
  // By windows of ten days before today.
  expect(data.design.smallest_detectable).toBeGreaterThan(0);
});

test('a stopped one keeps the result of its days, has no verdict and no event, and cannot be stopped again', async () => {
  const brand = await addBrand();
  const { own, promptIds } = brand;
  setToday('2026-11-15');
  const { id } = (await create(own, toBody(promptIds))).data;
  const { data } = await stop(own, id);
  const result = { final: true, verdict: null, p_value: null, placebo: null };
  expect(data).toMatchObject({ status: 'stopped', result });
  expect(data.result!.treated.units_after).toBe(6 * 9);
  setToday('2026-11-25');
  await maintain();
  expect(await read(own, id)).toEqual(data);
  expect(await readEvents(id)).toEqual([]);
  expect((await stop(own, id)).error).toMatchObject({ code: 'conflict' });
  const over = (await create(own, toBody(promptIds))).data;
  expect((await stop(own, over.id)).error).toMatchObject({ code: 'conflict' });

  const isOutdatedBy = async (day: string) => {
    const again = brand.units.filter(({ runDate }) => runDate === day);
    await brand.importUnits(again.map((unit) => ({ ...unit, finalizedAt: `${day}T11:00:00.000000Z` })));
    const [row] = await service().query('select is_outdated from experiments where id = $1', [id]);
    return row;
  };
  expect(await isOutdatedBy('2026-11-16')).toEqual({ is_outdated: false });
  expect(await isOutdatedBy('2026-11-15')).toEqual({ is_outdated: true });
});

test('an import into its days changes the result; once retention has removed days, the last one stays', async () => {
  const brand = await addBrand();
  const { own, promptIds, units } = brand;
  const { id, result } = (await create(own, toBody(promptIds))).data;
  await brand.importUnits(
    units
      .filter(({ runDate, promptId }) => runDate >= '2026-11-07' && promptIds.indexOf(promptId) >= 6)
      .map((unit) => ({ ...unit, position: 1, finalizedAt: `${unit.runDate}T11:00:00.000000Z` })),
  );
  const imported = await read(own, id);
  expect(imported.result!.control.units_after).toBe(2 * result!.control.units_after);
  expect(imported.result!.effect!.value).toBeLessThan(result!.effect!.value);
  expect((await list(own)).data[0]!.result).toEqual(result);
  await maintain();
  expect((await list(own)).data[0]!.result).toEqual(imported.result);
  await endRetention(service(), { unitDays: 25 });
  await maintain();
  expect((await read(own, id)).result).toEqual(imported.result);
  expect((await list(own)).data[0]!.result).toEqual(imported.result);
});

test('tags are resolved when it is registered, inactive prompts included', async () => {
  const own = brandData();
  const prompts = Array.from({ length: 10 }, (_, index) => ({
    ...promptData(own),
    tags: [index < 5 ? 'crm' : 'erp', 'all'],
    active: index > 0,
  }));
  await addToCatalog(service(), { brands: [own], prompts });
  const body = toBody([], { treated: { tags: ['crm'] }, control: { tags: ['erp'] } });
  const { data } = await create(own, body);
  const ids = prompts.map(({ id }) => id);
  expect(new Set(data.treated.prompt_ids)).toEqual(new Set(ids.slice(0, 5)));
  expect(data.treated.tags).toEqual(['crm']);
  const moved = await service().emit(promptChanged, prompts[0]!.id, 2, { ...prompts[0]!, tags: ['erp'] });
  await waitUntilHandled(service(), moved);
  expect((await read(own, data.id)).treated).toEqual(data.treated);
});

test('one of a brand without results changes nothing else of it', async () => {
  const own = brandData();
  const prompts = Array.from({ length: 12 }, () => promptData(own));
  const rival = brandData({ org_id: own.org_id, is_own: false });
  await addToCatalog(service(), { brands: [own, rival], prompts });
  expect((await create(own, toBody(prompts.map(({ id }) => id)))).status).toBe(201);
  const linked = { ...own, competitors: [{ ...rival, domain: rival.domain! }] };
  await waitUntilHandled(service(), await service().emitBrand(linked, 2));
  await waitUntilHandled(service(), await service().emitBrand({ ...rival, name: 'Renamed' }, 2));
  const { data } = await service().call(listBrandSummaries, { params: { orgId: own.org_id } });
  expect(data).toMatchObject([{ id: own.id, changed_at: null }]);
  const published = `select 1 from outbox where type = 'results.brand.changed.v1' and aggregate_id = $1`;
  expect(await service().query(published, [own.id])).toEqual([]);
});

test('prompts that were just created come from the catalog', async () => {
  const own = brandData();
  await addToCatalog(service(), { brands: [own] });
  newPrompts.push(...Array.from({ length: 240 }, () => promptData(own)));
  const ids = newPrompts.map(({ id }) => id);
  const arms = { treated: { prompt_ids: ids.slice(0, 120) }, control: { prompt_ids: ids.slice(120) } };
  expect((await create(own, toBody([], arms))).data.design).toMatchObject({
    treated_prompts: 120,
    control_prompts: 120,
  });
});

test('400: what is wrong with the arms and the plan', async () => {
  const own = brandData();
  const prompts = Array.from({ length: 10 }, () => ({ ...promptData(own), tags: ['crm'] }));
  await addToCatalog(service(), { brands: [own], prompts });
  const ids = prompts.map(({ id }) => id);
  const unknown = randomUUID();
  const cases: [object, string, string][] = [
    [{ treated: { prompt_ids: ids }, control: { tags: ['crm'] } }, 'control', 'prompts_overlap'],
    [
      { treated: { prompt_ids: ids.slice(0, 4) }, control: { prompt_ids: ids.slice(5) } },
      'treated',
      'too_few',
    ],
    [
      {
        treated: { prompt_ids: [...ids.slice(0, 3), unknown, ids[4]] },
        control: { prompt_ids: ids.slice(5) },
      },
      'treated.prompt_ids.3',
      'not_found',
    ],
    [{ starts_on: '2027-11-23' }, 'starts_on', 'too_far'],
    [{ starts_on: '2026-02-30' }, 'starts_on', 'invalid_format'],
    [{ countries: ['US', 'FR'] }, 'countries.1', 'unsupported_country'],
    [{ platforms: ['bard'] }, 'platforms.0', 'invalid_value'],
    [{ metric: 'sentiment' }, 'metric', 'invalid_value'],
    [{ pre_days: 6 }, 'pre_days', 'too_small'],
    [{ post_days: 93 }, 'post_days', 'too_big'],
    [{ washout_days: 29 }, 'washout_days', 'too_big'],
    [{ name: ' ' }, 'name', 'too_small'],
  ];
  for (const [given, path, code] of cases) {
    const body = {
      ...toBody(ids, { treated: { prompt_ids: ids.slice(0, 5) }, control: { prompt_ids: ids.slice(5) } }),
      ...given,
    };
    const { status, error } = await create(own, body);
    expect([given, status, error]).toEqual([
      given,
      400,
      expect.objectContaining({ details: [expect.objectContaining({ path, code })] }),
    ]);
  }
});

test('409: an archived brand, and the 51st open one, also if two are registered at once', async () => {
  const own = brandData();
  const prompts = Array.from({ length: 10 }, () => promptData(own));
  const archived = brandData({ sunset_at: '2026-11-20T00:00:00.000000Z' });
  await addToCatalog(service(), { brands: [own, archived], prompts });
  const ids = prompts.map(({ id }) => id);
  const arms = { treated: { prompt_ids: ids.slice(0, 5) }, control: { prompt_ids: ids.slice(5) } };
  const body = toBody([], { ...arms, starts_on: '2026-12-01' });
  expect((await create(archived, body)).error).toMatchObject({ code: 'brand_archived' });
  for (let index = 0; index < 49; index += 1) await create(own, body);
  const both = await Promise.all([create(own, body), create(own, body)]);
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
  const first = await list(own, 'limit=30');
  const rest = await list(own, `limit=30&cursor=${first.pagination.next_cursor}`);
  expect(new Set([...first.data, ...rest.data].map(({ id }) => id)).size).toBe(50);
  await stop(own, first.data[0]!.id);
  expect((await create(own, body)).status).toBe(201);
});

test('404: an experiment of another brand; 400: of a competitor', async () => {
  const { own, promptIds } = await addBrand();
  const { id } = (await create(own, toBody(promptIds))).data;
  const other = brandData({ org_id: own.org_id });
  await addToCatalog(service(), { brands: [other] });
  for (const operation of [getExperiment, stopExperiment]) {
    const params = { ...toBrandParams(other), experimentId: id };
    expect((await service().call(operation, { params })).status).toBe(404);
    const rival = { orgId: own.org_id, brandId: own.competitors[0]!.id, experimentId: id };
    expect((await service().call(operation, { params: rival })).error).toMatchObject({
      details: [{ path: 'brandId', code: 'own_brand_only' }],
    });
  }
});
