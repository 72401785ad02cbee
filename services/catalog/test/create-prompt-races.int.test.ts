import { createPrompt, getOrg } from '@bv/contract';
import type { Caller } from '@bv/http';
import { retryUnavailable } from '@bv/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { addBrand, addOrgWithBrand, type Catalog, type OwnBrand, startCatalog } from './catalog.ts';
import { testCommonRefusals } from './common-refusals.ts';

let catalog: Catalog;
let orgId: string;
let brandId: string;
beforeAll(async () => {
  catalog = await startCatalog();
  orgId = await catalog.addOrg('enterprise');
  brandId = (await addBrand(catalog, orgId)).id;
});
afterAll(() => catalog.stop());

const create = (body: object, ownBrand: OwnBrand = { orgId, brandId }, caller?: Partial<Caller>) =>
  catalog.call(createPrompt, { params: ownBrand, body, caller });

describe('under parallel load', () => {
  test('50 creates at one below prompt_cap_exceeded admit exactly one, over two brands', async () => {
    const ownBrand = await addOrgWithBrand(catalog, 'growth', { prompts: 1 });
    const other = await addBrand(catalog, ownBrand.orgId);
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        retryUnavailable(() =>
          create(
            { text: `p${index}`, countries: ['US'] },
            { orgId: ownBrand.orgId, brandId: index % 2 ? ownBrand.brandId : other.id },
          ),
        ),
      ),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(responses.filter(({ code }) => code === 'prompt_cap_exceeded')).toHaveLength(49);
  });

  test('50 creates of different countries at one below country_cap_exceeded admit one country', async () => {
    const ownBrand = await addOrgWithBrand(catalog, 'enterprise', { countries: 1 });
    const codes = 'AR AT AU BE BR CA CH CL DE DK'.split(' ');
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        retryUnavailable(() => create({ text: `p${index}`, countries: [codes[index % 10]] }, ownBrand)),
      ),
    );
    const admitted = new Set(
      responses.filter(({ status }) => status === 201).map(({ data }) => data.countries[0]),
    );
    expect(admitted.size).toBe(1);
    const org = await catalog.call(getOrg, { params: { orgId: ownBrand.orgId } });
    expect(org.data.usage.countries).toEqual({ used: 1, limit: 1, codes: [...admitted] });
  });

  test('50 creates of one text make one prompt (conflict for the others)', async () => {
    const ownBrand = await addOrgWithBrand(catalog, 'enterprise');
    const responses = await Promise.all(
      Array.from({ length: 50 }, () =>
        retryUnavailable(() => create({ text: 'One', countries: ['US'] }, ownBrand)),
      ),
    );
    const created = responses.filter(({ status }) => status === 201);
    expect(created).toHaveLength(1);
    for (const response of responses.filter(({ status }) => status !== 201)) {
      expect(response.refusal).toEqual({
        status: 409,
        code: 'conflict',
        details: { existing_id: created[0]?.data.id },
      });
    }
  });
});

testCommonRefusals(createPrompt, () => catalog, { text: 'Which one?', countries: ['US'] });
