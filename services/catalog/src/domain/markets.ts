import { validationError, type ValidationDetail } from '@bv/contract';

/** A list of countries as it was sent, and where it stands in the body. */
type Sent = { path: string; countries: readonly string[] };

const mostDetails = 100;

/** One entry per country that is not scanned, under its index in the list as it was sent. */
export function unsupportedCountries(
  markets: ReadonlySet<string>,
  { path, countries }: Sent,
): ValidationDetail[] {
  return countries.flatMap((written, index) => {
    const country = written.toUpperCase();
    if (markets.has(country)) return [];
    const message = `${country} is not a market that is scanned`;
    return [{ path: `${path}.${index}`, code: 'unsupported_country', message }];
  });
}

export function checkMarkets(markets: ReadonlySet<string>, ...sent: Sent[]): void {
  const details = sent.flatMap((list) => unsupportedCountries(markets, list));
  if (details.length > 0) throw validationError(details.slice(0, mostDetails));
}
