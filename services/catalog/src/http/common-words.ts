import type { Queryable } from '@bv/postgres';
import type { Context } from '../context.ts';
import { getPromptUsage } from '../db/prompts.ts';
import { type FindLanguage, toLanguages } from '../domain/brand-warnings.ts';

/**
 * Finds ordinary words in English and in the languages of the organisation's markets: the countries of its active
 * prompts, or every configured market before the first prompt.
 */
export async function loadCommonWords(
  { markets, commonWords }: Context,
  db: Queryable,
  orgId: string,
): Promise<FindLanguage> {
  const { countries } = await getPromptUsage(db, orgId);
  return commonWords.load(toLanguages(countries.size > 0 ? countries.keys() : markets));
}
