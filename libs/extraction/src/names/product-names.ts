import { parse } from 'tldts';
import { fold } from '../text/fold.ts';
import { visibleName } from '../text/visible-text.ts';
import { toLetters, withoutLegalForm } from './legal-forms.ts';
import type { TrackedBrand } from './tracked-brand.ts';

const minWords = 2;
const maxLength = 60;

/**
 * The names of each brand without their maker: "Galaxy Ring" of "Samsung Galaxy Ring" (samsung.com). A rest that is also
 * a name of a brand, or the rest of two, is ambiguous and omitted.
 */
export function productNames(brands: readonly TrackedBrand[]): readonly (readonly string[])[] {
  const products = brands.map(({ name, aliases, domain }) => {
    const label = toLetters(parse(domain).domainWithoutSuffix ?? '');
    return label === '' ? [] : [name, ...aliases].flatMap((each) => withoutMaker(visibleName(each), label));
  });
  if (products.every((own) => own.length === 0)) return products;
  const names = brands.flatMap(({ name, aliases }) => [name, ...aliases].map(visibleName));
  const byText = Map.groupBy([...names, ...products.flat()], (text) => fold(text).text);
  return products.map((own) => own.filter((text) => byText.get(fold(text).text)?.length === 1));
}

/** The first words of the name are its maker if they are the label of the domain. */
function withoutMaker(name: string, label: string): string[] {
  if (name.length > maxLength) return [];
  const words = name.split(' ');
  const makers = words.map((_, last) => toLetters(words.slice(0, last + 1).join('')));
  const rest = words.slice(makers.indexOf(label) + 1);
  if (rest.length === words.length || rest.length < minWords) return [];
  const product = rest.join(' ');
  return withoutLegalForm(product, label) === null ? [product] : [];
}
