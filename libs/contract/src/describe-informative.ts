import type { Score } from './resources/score.ts';

/** What a mention rate hides, in a sentence: answers that name no company. Empty where it is not known. */
export function describeInformative({
  units_answered: answers,
  units_informative: informative,
}: Pick<Score, 'units_answered' | 'units_informative'>): string {
  if (informative === null) return '';
  const silent = answers - informative;
  return `Of ${answers} answers, ${silent} ${silent === 1 ? 'names' : 'name'} no company.`;
}
