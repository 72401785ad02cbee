import { validationError, type ValidationDetail } from '@bv/contract';

type Requested = { path: string; countries: readonly string[] };

/** Refuses countries that are not scanned: one entry per code, under the path of its list. */
export function checkMarkets(markets: ReadonlySet<string>, ...requested: Requested[]): void {
  const details: ValidationDetail[] = requested.flatMap(({ path, countries }) =>
    countries
      .filter((country) => !markets.has(country))
      .map((country) => ({
        path,
        code: 'unsupported_country',
        message: `${country} is not a market that is scanned`,
      })),
  );
  if (details.length > 0) throw validationError(details.slice(0, 100));
}
