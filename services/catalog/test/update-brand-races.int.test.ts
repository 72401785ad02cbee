import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createProperty, getBrand, linkCompetitor, updateBrand } from '@bv/contract';
import { eventually, retryUnavailable } from '@bv/testkit';
import {
  addBrand,
  addOrgWithBrand,
  type Catalog,
  countLockWaiters,
  newHost,
  startCatalog,
} from './catalog.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog.stop());

const patch = (orgId: string, brandId: string, body: object) =>
  retryUnavailable(() => catalog.call(updateBrand, { params: { orgId, brandId }, body }));
const read = async (orgId: string, brandId: string) =>
  (await catalog.call(getBrand, { params: { orgId, brandId } })).data;
const countEvents = async (brandId: string): Promise<number> => {
  const { rows } = await catalog.sql.query(
    'select count(distinct version)::int as n from outbox where aggregate_id = $1',
    [brandId],
  );
  return rows[0].n;
};

test('two updates of different fields that wait for the same row: both survive', async () => {
  const { orgId, brandId } = await addOrgWithBrand(catalog);
  const holder = await catalog.sql.connect();
  await holder.query('begin');
  await holder.query('select from brands where id = $1 for update', [brandId]);
  const both = [
    patch(orgId, brandId, { name: 'Renamed' }),
    patch(orgId, brandId, { match: { verify: true } }),
  ];
  try {
    await eventually(async () => expect(await countLockWaiters(catalog)).toBe(2));
  } finally {
    await holder.query('rollback');
    holder.release();
  }
  expect((await Promise.all(both)).map(({ status }) => status)).toEqual([200, 200]);
  expect(await read(orgId, brandId)).toMatchObject({ name: 'Renamed', match: { verify: true } });
});

test('20 parallel updates of five fields: the last of each field survives, each is one event', async () => {
  const { orgId, brandId } = await addOrgWithBrand(catalog);
  const fields = ['name', 'geography', 'external_ref', 'aliases', 'match'] as const;
  const valueOf = (field: (typeof fields)[number], round: number) => {
    const value = `${field} ${round}`;
    if (field === 'aliases') return [value];
    return field === 'match' ? { case_sensitive: true, exclude: [value], verify: false } : value;
  };
  await Promise.all(
    fields.map(async (field) => {
      for (let round = 1; round <= 4; round += 1) {
        const { status, data } = await patch(orgId, brandId, { [field]: valueOf(field, round) });
        expect([status, data[field]]).toEqual([200, valueOf(field, round)]);
      }
    }),
  );
  const last = Object.fromEntries(fields.map((field) => [field, valueOf(field, 4)]));
  expect(await read(orgId, brandId)).toMatchObject(last);
  expect(await countEvents(brandId)).toBe(21);
});

test('20 brands, old and new, take one external_ref: one has it, the others name it', async () => {
  const orgId = await catalog.addOrg('enterprise');
  const brands = [];
  for (let index = 0; index < 10; index += 1) brands.push(await addBrand(catalog, orgId));
  const external_ref = 'one';
  const responses = await Promise.all([
    ...brands.map(({ id }) => patch(orgId, id, { external_ref })),
    ...brands.map(() =>
      retryUnavailable(() =>
        catalog.call(createProperty, {
          params: { orgId },
          body: { name: 'New', domain: newHost(), external_ref },
        }),
      ),
    ),
  ]);
  const [winner, ...others] = responses.filter(({ status }) => status < 300);
  expect(others).toEqual([]);
  for (const response of responses.filter((each) => each !== winner)) {
    expect(response.refusal).toEqual({
      status: 409,
      code: 'external_ref_exists',
      details: { existing_id: winner?.data.id },
    });
  }
});

test('a competitor is renamed while brands link it: every detail has the last name', async () => {
  const orgId = await catalog.addOrg('enterprise');
  const domain = newHost();
  const first = await addBrand(catalog, orgId, { competitors: [{ name: 'Rival', domain }] });
  const { id } = first.competitors[0]!;
  const brands = [first];
  for (let index = 0; index < 5; index += 1) brands.push(await addBrand(catalog, orgId));
  await Promise.all([
    (async () => {
      for (let round = 1; round <= 5; round += 1) await patch(orgId, id, { name: `Rival ${round}` });
    })(),
    ...brands.slice(1).map(async (brand) => {
      const params = { orgId, brandId: brand.id };
      const body = { name: 'Other', domain, aliases: ['other'] };
      const { data } = await retryUnavailable(() => catalog.call(linkCompetitor, { params, body }));
      expect(data).toMatchObject({ id, reused: true, aliases: [] });
    }),
  ]);
  for (const brand of brands) {
    expect((await read(orgId, brand.id)).competitors).toMatchObject([{ id, name: 'Rival 5', aliases: [] }]);
  }
  expect(await countEvents(id)).toBe(6);
});
