import {
  ApiError,
  type CreatedProperty,
  type createProperty,
  defaultMatchRules,
  type linkCompetitor,
  type MatchRules,
  type PropertyPartialFailure,
  type RequestBody,
  type RequestBodyInput,
  type ValidationDetail,
  validationError,
} from '@bv/contract';
import { normaliseHost } from '@bv/source-url';
import { unsupportedCountries } from './markets.ts';

export type BrandState = { id: string; is_own: boolean; sunset_at: string | null };

export function checkOwnBrand(brand: BrandState): void {
  if (brand.is_own) return;
  const message = 'The operation is defined for own brands; this is a competitor';
  throw validationError([{ path: 'brandId', code: 'own_brand_only', message }]);
}

export function checkNotArchived(brand: BrandState): void {
  if (brand.sunset_at !== null) throw new ApiError('brand_archived', { details: { brand_id: brand.id } });
}

export type Competitor = { name: string; domain: string; aliases: string[]; match: MatchRules };
/** The host of the own brand and those of the competitors, in the order of the body. */
export type PropertyHosts = { host: string; competitors: Competitor[] };

export const invalidDomain = (path: string): ValidationDetail => ({
  path,
  code: 'invalid_domain',
  message: 'Not a registrable host name',
});

export const competitorIsSelf = (path: string): ValidationDetail => ({
  path,
  code: 'competitor_is_self',
  message: "A competitor's domain is the own brand's domain",
});

/** A competitor as sent, with its normalised host. */
export const toCompetitor = (sent: RequestBody<typeof linkCompetitor>, host: string): Competitor => ({
  name: sent.name,
  domain: host,
  aliases: sent.aliases ?? [],
  match: sent.match ?? defaultMatchRules,
});

/** Normalises the domains of a property. Throws one validation error that lists every invalid field. */
export function parseProperty(
  markets: ReadonlySet<string>,
  body: RequestBody<typeof createProperty>,
  sent: RequestBodyInput<typeof createProperty>,
): PropertyHosts {
  const details: ValidationDetail[] = [];
  const host = normaliseHost(body.domain) ?? '';
  if (host === '') details.push(invalidDomain('domain'));
  details.push(...unsupportedCountries(markets, { path: 'markets', countries: sent.markets ?? [] }));
  const competitors = (body.competitors ?? []).map((competitor, index) => {
    const path = `competitors.${index}.domain`;
    const other = normaliseHost(competitor.domain) ?? '';
    if (other === '') details.push(invalidDomain(path));
    else if (other === host) details.push(competitorIsSelf(path));
    return toCompetitor(competitor, other);
  });
  if (details.length > 0) throw validationError(details);
  return { host, competitors };
}

/** The result of linking one competitor of a property. */
export type CompetitorOutcome =
  | { status: 'applied'; competitor_id: string; reused: boolean }
  | { status: 'failed'; error: { code: string; message: string } }
  | { status: 'not_attempted' };

/** The error where the brand was created but a competitor failed; undefined if none failed. */
export function partialFailure(
  brand: CreatedProperty,
  sent: readonly { name: string; domain: string }[],
  outcomes: readonly CompetitorOutcome[],
): ApiError | undefined {
  const failed = outcomes.flatMap((outcome) => (outcome.status === 'failed' ? [outcome.error.code] : []));
  if (failed.length === 0) return undefined;
  const details: PropertyPartialFailure = {
    brand_id: brand.id,
    brand,
    competitors: sent.map(({ name, domain }, index) => ({
      name,
      domain,
      ...(outcomes[index] ?? { status: 'not_attempted' }),
    })),
  };
  const overCap = failed.includes('competitor_cap_exceeded');
  return new ApiError(overCap ? 'competitor_cap_exceeded' : 'conflict', { details });
}
