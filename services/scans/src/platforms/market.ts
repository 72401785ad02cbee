import { PlatformError, type Localization } from './platform.ts';

const names = new Intl.DisplayNames(['en'], { type: 'region' });

/** English name of a country, equal to the one in Google's list of locations. */
export function marketName(country: string): string {
  return names.of(country) ?? country;
}

/** Google's interface language where its code differs from the country's likely language, or the web uses another one. */
const searchLanguages: Record<string, string> = {
  NO: 'no',
  IN: 'en',
  PH: 'en',
  IL: 'iw',
  CN: 'zh-cn',
  TW: 'zh-tw',
  HK: 'zh-tw',
};

/** Interface language of a search page of the country. */
export function searchLanguage(country: string): string {
  return searchLanguages[country] ?? new Intl.Locale('und', { region: country }).maximize().language;
}

/** The market as an instruction, for a platform that has no field for it or does not support the country. */
export function marketInstruction(country: string): string {
  return `The person asking is in ${marketName(country)} (${country}). Search for and answer about that market, in the language of the question.`;
}

/** A rejected country is the only rejection for which another request can succeed. */
function isUnsupportedCountry(error: unknown): boolean {
  return (
    error instanceof PlatformError &&
    error.kind === 'rejected' &&
    /country|user_location/i.test(error.message) &&
    /not supported|unsupported|invalid/i.test(error.message)
  );
}

/** Sends the country in the service's own field. If the service does not support it, states the market in the prompt. */
export async function requestForMarket<T>(
  send: (native: boolean) => Promise<T>,
): Promise<{ answer: T; localization: Localization }> {
  try {
    return { answer: await send(true), localization: 'native' };
  } catch (error) {
    if (!isUnsupportedCountry(error)) throw error;
    return { answer: await send(false), localization: 'prompt' };
  }
}
