import { validationError, type ValidationDetail } from '@bv/contract';

/** A list of countries as it was sent, and its path in the body. */
type Sent = { path: string; countries: readonly string[] };

const maxDetails = 100;

/** Returns one entry per country that is not scanned; its path ends in the country's index in the sent list. */
export function unsupportedCountries(
  markets: ReadonlySet<string>,
  { path, countries }: Sent,
): ValidationDetail[] {
  return countries.flatMap((code, index) => {
    const country = code.toUpperCase();
    if (markets.has(country)) return [];
    const message = `${country} is not a market that is scanned`;
    return [{ path: `${path}.${index}`, code: 'unsupported_country', message }];
  });
}

export function checkMarkets(markets: ReadonlySet<string>, ...sent: Sent[]): void {
  const details = sent.flatMap((list) => unsupportedCountries(markets, list));
  if (details.length > 0) throw validationError(details.slice(0, maxDetails));
}
