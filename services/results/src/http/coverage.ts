import { type Coverage, getCoverage, maxWindowDays, resolveWindow } from '@bv/contract';
import { type Route, route } from '@bv/http';
import { type Estimate, estimateCoverage } from '@bv/statistics';
import { type Context, getToday } from '../context.ts';
import { countAnsweredUnits, countSeenNames, listPromptUnits } from '../db/coverage.ts';
import { rounded } from '../domain/formulas.ts';
import { readConsistentPage } from './consistent-page.ts';
import { findOwnBrand } from './projections.ts';

export function getCoverageRoute(ctx: Context): Route {
  return route(getCoverage, async ({ params, query }) => {
    const brand = await findOwnBrand(ctx, params);
    const window = resolveWindow(query, getToday(ctx), maxWindowDays.sources);
    const { subject, platform = null, country = null } = query;
    const filters = { ...window, platform, country };
    const { result } = await readConsistentPage(ctx, { page: {}, brandId: brand.id }, async (tx) => ({
      names: await countSeenNames(tx, brand.id, { ...filters, subject }),
      asked: await listPromptUnits(tx, brand.id, filters),
      answered: await countAnsweredUnits(tx, brand.id, filters),
    }));
    const { total, prompts } = result.names;
    const isBrands = subject === 'brands';
    const asked = result.asked
      .map(({ prompt_id, units_read, units_answered }) => ({
        prompt_id,
        units: isBrands ? units_read : units_answered,
      }))
      .filter(({ units }) => units > 0);
    const units = isBrands ? asked.reduce((sum, prompt) => sum + prompt.units, 0) : result.answered;
    const found = new Map(prompts?.map(({ prompt_id, ...names }) => [prompt_id, names]));
    const omitted = asked.map((prompt) => ({
      ...(found.get(prompt.prompt_id) ?? noNames),
      units: prompt.units,
    }));
    const estimated = estimateCoverage({ ...total, units }, prompts === null ? [] : omitted);
    const data: Coverage = {
      subject,
      ...window,
      units,
      prompts: asked.length,
      seen: total.seen,
      seen_once: total.once,
      seen_twice: total.twice,
      coverage: present(estimated.coverage),
      estimated_total: present(estimated.estimatedTotal),
      next_100_units: rounded(estimated.next100Units),
    };
    return { data };
  });
}

const noNames = { incidences: 0, once: 0, twice: 0 };

const present = ({ value, low, high }: Estimate): Estimate => ({
  value: rounded(value),
  low: rounded(low),
  high: rounded(high),
});
