import type { Score } from './resources/score.ts';

/** What a mention rate hides, in a sentence: answers that name no company. Empty where it is not known. */
export function describeInformative({
  units_answered: answers,
  units_informative: informative,
  informative_rate: rate,
}: Pick<Score, 'units_answered' | 'units_informative' | 'informative_rate'>): string {
  if (informative === null || rate === null) return '';
  const silent = answers - informative;
  // The rate leaves out the answers without a stored text, so that their number is not known.
  if (Math.abs(rate - (100 * informative) / answers) > 0.01)
    return `Of the answers with a stored text, ${rate} % name a company.`;
  return `Of ${answers} answers, ${silent} ${silent === 1 ? 'names' : 'name'} no company.`;
}
