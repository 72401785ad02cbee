import {
  createPrompt,
  createProperty,
  getOrg,
  linkCompetitor,
  listPrompts,
  type Operation,
  operatorArchiveBrand,
  operatorRestoreBrand,
  operatorUpdateOrg,
  syncPrompts,
  unlinkCompetitor,
  updatePrompt,
} from '@bv/contract';
import type { OperationResponse } from '@bv/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Catalog, startCatalog } from './catalog.ts';
import { type Limits, Model, type Outcome, type Row } from './model.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog.stop());

const domains = 5;
const countries = fc.uniqueArray(fc.constantFrom('US', 'DE', 'FR', 'GB'), { minLength: 1, maxLength: 3 });
const domain = fc.nat(domains - 1);
const at = fc.nat(5);
const row: fc.Arbitrary<Row> = fc.record({ text: fc.nat(3), countries, active: fc.boolean() });
const limits: fc.Arbitrary<Limits> = fc.record({
  prompts: fc.nat(5),
  own_brands: fc.integer({ min: 1, max: 4 }),
  countries: fc.integer({ min: 1, max: 4 }),
  competitors_per_brand: fc.nat(3),
});

type BrandStep =
  | { do: 'link' | 'unlink'; at: number; domain: number }
  | { do: 'archive' | 'restore'; at: number };
type Step =
  | BrandStep
  | { do: 'property'; domain: number; competitors: number[] }
  | { do: 'prompt'; at: number; row: Row }
  | { do: 'patch'; at: number; change: { countries?: string[] | undefined; active?: boolean | undefined } }
  | { do: 'sync'; at: number; rows: Row[]; deactivateMissing: boolean }
  | { do: 'limits'; limits: Limits };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    arbitrary: fc.record({
      do: fc.constant('property' as const),
      domain,
      competitors: fc.array(domain, { maxLength: 4 }),
    }),
    weight: 3,
  },
  {
    arbitrary: fc.record({ do: fc.constantFrom('link' as const, 'unlink' as const), at, domain }),
    weight: 3,
  },
  { arbitrary: fc.record({ do: fc.constant('prompt' as const), at, row }), weight: 5 },
  {
    arbitrary: fc.record({
      do: fc.constant('patch' as const),
      at,
      change: fc.record({ countries, active: fc.boolean() }, { requiredKeys: [] }),
    }),
    weight: 5,
  },
  {
    arbitrary: fc.record({
      do: fc.constant('sync' as const),
      at,
      rows: fc.uniqueArray(row, { selector: ({ text }) => text, maxLength: 4 }),
      deactivateMissing: fc.boolean(),
    }),
    weight: 3,
  },
  { arbitrary: fc.record({ do: fc.constantFrom('archive' as const, 'restore' as const), at }), weight: 6 },
  { arbitrary: fc.record({ do: fc.constant('limits' as const), limits }), weight: 2 },
);

const host = (index: number): string => `model-${index}.com`;
const text = (index: number): string => `Prompt ${index}`;
const outcome = ({ code }: OperationResponse<Operation>): Outcome => code ?? 'ok';

/** Applies the same steps to one organisation of the service and to the model. */
class Run {
  readonly orgId: string;
  readonly model: Model;
  readonly brandIds: string[] = [];
  readonly promptIds: string[] = [];
  readonly competitorIds = new Map<number, string>();

  constructor(orgId: string, model: Model) {
    this.orgId = orgId;
    this.model = model;
  }

  /** The parameters of an operation on the brand. */
  brandParams(index: number) {
    return { orgId: this.orgId, brandId: String(this.brandIds[index]) };
  }

  /** Reads the ids of the service after each step, oldest first; the model has none. */
  async loadIds(): Promise<void> {
    const own = await catalog.sql.query(
      'select id, domain, is_own from brands where org_id = $1 order by created_at',
      [this.orgId],
    );
    const prompts = await catalog.sql.query('select id from prompts where org_id = $1 order by created_at', [
      this.orgId,
    ]);
    this.brandIds.splice(0, Infinity, ...own.rows.filter(({ is_own }) => is_own).map(({ id }) => id));
    this.promptIds.splice(0, Infinity, ...prompts.rows.map(({ id }) => id));
    for (const { id, domain: name, is_own } of own.rows) {
      if (!is_own) this.competitorIds.set(Number(/\d+/.exec(name)?.[0]), id);
    }
  }

  async property({ domain: own, competitors }: Step & { do: 'property' }): Promise<void> {
    const body = {
      name: 'b',
      domain: host(own),
      competitors: competitors.map((index) => ({ name: 'c', domain: host(index) })),
    };
    const response = await catalog.call(createProperty, { params: { orgId: this.orgId }, body });
    expect(outcome(response)).toBe(this.model.createProperty(own, competitors));
  }

  async onBrand(step: BrandStep, index: number): Promise<void> {
    const params = this.brandParams(index);
    if (!('domain' in step)) {
      const operation = step.do === 'archive' ? operatorArchiveBrand : operatorRestoreBrand;
      const response = await catalog.call(operation, { params });
      expect(outcome(response)).toBe(this.model[step.do](index));
    } else if (step.do === 'link') {
      const body = { name: 'c', domain: host(step.domain) };
      const response = await catalog.call(linkCompetitor, { params, body });
      expect(outcome(response)).toBe(this.model.link(index, step.domain));
    } else {
      const competitorId = this.competitorIds.get(step.domain) ?? params.brandId;
      const response = await catalog.call(unlinkCompetitor, { params: { ...params, competitorId } });
      expect(outcome(response)).toBe(this.model.unlink(index, step.domain));
    }
  }

  async prompt({ row: { text: index, ...fields } }: Step & { do: 'prompt' }, brand: number): Promise<void> {
    const body = { text: text(index), ...fields };
    const response = await catalog.call(createPrompt, { params: this.brandParams(brand), body });
    expect(outcome(response)).toBe(this.model.createPrompt(brand, { text: index, ...fields }));
  }

  async sync({ rows, deactivateMissing }: Step & { do: 'sync' }, brand: number): Promise<void> {
    const response = await catalog.call(syncPrompts, {
      params: this.brandParams(brand),
      body: {
        prompts: rows.map(({ text: index, ...fields }) => ({ text: text(index), ...fields })),
        deactivate_missing: deactivateMissing,
      },
    });
    const expected = this.model.sync(brand, rows, deactivateMissing);
    if (typeof expected === 'string') expect(outcome(response)).toBe(expected);
    else expect(response.data.results.map(({ action }) => action)).toEqual(expected);
  }

  async apply(step: Step): Promise<void> {
    if (step.do === 'property') return this.property(step);
    if (step.do === 'limits') {
      this.model.limits = step.limits;
      await catalog.call(operatorUpdateOrg, {
        params: { orgId: this.orgId },
        body: { overrides: step.limits },
      });
      return;
    }
    if (step.do === 'patch') {
      if (this.promptIds.length === 0) return;
      const index = step.at % this.promptIds.length;
      const params = { orgId: this.orgId, promptId: String(this.promptIds[index]) };
      const response = await catalog.call(updatePrompt, { params, body: step.change });
      expect(outcome(response)).toBe(this.model.updatePrompt(index, step.change));
      return;
    }
    if (this.brandIds.length === 0) return;
    const brand = step.at % this.brandIds.length;
    if (step.do === 'prompt') await this.prompt(step, brand);
    else if (step.do === 'sync') await this.sync(step, brand);
    else await this.onBrand(step, brand);
  }

  async compare(): Promise<void> {
    const params = { orgId: this.orgId };
    const { data } = await catalog.call(getOrg, { params });
    const codes = [...this.model.countries()].sort();
    expect(data.usage).toMatchObject({
      prompts: { used: this.model.counted().length },
      own_brands: { used: this.model.ownBrands() },
      countries: { used: codes.length, codes },
    });
    const prompts = await catalog.call(listPrompts, { params, query: { limit: 200 } });
    expect(prompts.data.map((prompt) => [prompt.text, prompt.active])).toEqual(
      this.model.prompts.map((prompt) => [text(prompt.text), prompt.active]),
    );
  }
}

async function runSteps(start: Limits, steps: readonly Step[]): Promise<void> {
  const run = new Run(await catalog.addOrg('growth', start), new Model(start));
  for (const each of steps) {
    await run.apply(each);
    if (/property|link|prompt|sync/.test(each.do)) await run.loadIds();
  }
  await run.compare();
}

const runs = { numRuns: 60, interruptAfterTimeLimit: 20_000 };

test('random sequences of calls have the outcomes of the model', async () => {
  const property = fc.asyncProperty(limits, fc.array(step, { minLength: 10, maxLength: 50 }), runSteps);
  await expect(fc.assert(property, runs)).resolves.toBeUndefined();
}, 120_000);

const wideLimits: Limits = { prompts: 20, own_brands: 5, countries: 4, competitors_per_brand: 3 };
const prompts = (brand: number): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.record({
      do: fc.constant('prompt' as const),
      at: fc.constant(brand),
      row: fc.record({ text: fc.nat(9), countries, active: fc.constant(true) }),
    }),
    { maxLength: 3 },
  );

/** Archives a brand, uses up its share of the limits or shrinks the plan, and restores it within the limits. */
const archiveAndRestore: fc.Arbitrary<Step[]> = fc
  .record({ own: prompts(0), kept: prompts(1), during: prompts(1), third: fc.boolean(), shrunk: limits })
  .map(({ own, kept, during, third, shrunk }) => [
    { do: 'property', domain: 0, competitors: [] },
    { do: 'property', domain: 1, competitors: [] },
    ...own,
    ...kept,
    { do: 'archive', at: 0 },
    ...during,
    ...(third ? [{ do: 'property' as const, domain: 2, competitors: [] }] : []),
    { do: 'limits', limits: { ...shrunk, own_brands: shrunk.own_brands + 1 } },
    { do: 'restore', at: 0 },
    { do: 'limits', limits: { ...shrunk, own_brands: wideLimits.own_brands, prompts: wideLimits.prompts } },
    { do: 'restore', at: 0 },
  ]);

test('an archived brand is restored only within brand_cap, prompt_cap and country_cap', async () => {
  const property = fc.asyncProperty(archiveAndRestore, (steps) => runSteps(wideLimits, steps));
  await expect(fc.assert(property, runs)).resolves.toBeUndefined();
}, 120_000);
