import { PlatformError, type Localization } from './platform.ts';

const names = new Intl.DisplayNames(['en'], { type: 'region' });

/** English name of a country, as Google's list of places writes it too. */
export function marketName(country: string): string {
  return names.of(country) ?? country;
}

/** Interface languages of Google where the likely one of the country is written otherwise there, or is not the one of its web. */
const searchLanguages: Record<string, string> = {
  NO: 'no',
  IN: 'en',
  PH: 'en',
  IL: 'iw',
  CN: 'zh-cn',
  TW: 'zh-tw',
  HK: 'zh-tw',
};

/** Language a search page of the country is shown in. */
export function searchLanguage(country: string): string {
  return searchLanguages[country] ?? new Intl.Locale('und', { region: country }).maximize().language;
}

/** The market in words, for a platform that has no field for it or does not know the country. */
export function marketInstruction(country: string): string {
  return `The person asking is in ${marketName(country)} (${country}). Search for and answer about that market, in the language of the question.`;
}

/** A service saying that it does not serve a country is the one refusal that another request can get around. */
function isUnsupportedCountry(error: unknown): boolean {
  return (
    error instanceof PlatformError &&
    error.kind === 'rejected' &&
    /country|user_location/i.test(error.message) &&
    /not supported|unsupported|invalid/i.test(error.message)
  );
}

/** Asks with the service's own field for the country and, where it does not serve that one, with the market in words. */
export async function askForMarket<T>(
  ask: (native: boolean) => Promise<T>,
): Promise<{ answer: T; localization: Localization }> {
  try {
    return { answer: await ask(true), localization: 'native' };
  } catch (error) {
    if (!isUnsupportedCountry(error)) throw error;
    return { answer: await ask(false), localization: 'prompt' };
  }
}
