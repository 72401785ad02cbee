import {
  type RequestBody,
  type createProperty,
  type RequestBodyInput,
  validationError,
  type ValidationDetail,
} from '@bv/contract';
import { normaliseHost } from './host-name.ts';
import { unsupportedCountries } from './markets.ts';

export type Competitor = { name: string; domain: string };
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
  const competitors = (body.competitors ?? []).map(({ name, domain }, index) => {
    const path = `competitors.${index}.domain`;
    const other = normaliseHost(domain) ?? '';
    if (other === '') details.push(invalidDomain(path));
    else if (other === host) details.push(competitorIsSelf(path));
    return { name, domain: other };
  });
  if (details.length > 0) throw validationError(details);
  return { host, competitors };
}
