import { currentMethodVersion } from '@bv/contract';

const withoutLlm = (version: string): string => version.replace(/\+llm$/, '');

/**
 * The version of the method, stored with each score, so that a reader can tell a change of method from a change of the
 * brand. `numbers` has those of its formulas and answers. `+llm` means that the LLM judge rated at least one of
 * its answers, with all brands in it.
 */
export const joinNumbers = (numbers: readonly string[], sentimentsByLlm: number): string =>
  numbers.map((number) => (sentimentsByLlm > 0 ? `${number}+llm` : number)).join(',');

/** The distinct versions of several rows, ascending. A row of answers that were read by several has more than one. */
export function joinVersions(rows: readonly string[]): string {
  return ascending(rows.flatMap((version) => version.split(','))).join(',');
}

/** The numbers in the version of a row. */
export const toNumbers = (version: string): string[] =>
  ascending(version.split(',').map((each) => withoutLlm(each)));

const ascending = (versions: readonly string[]): string[] =>
  [...new Set(versions)].toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));

/** The number by which the brands in some answers of a day were found. */
export type AnswerMethod = { country: string; method_version: string };

/**
 * The numbers of one series of a day that is scored: of the formulas, which are the current ones, and those by which its
 * answers were read. `earlier` has the answers that were read by another version. `country` is '' for all markets.
 */
export function listDayNumbers(earlier: readonly AnswerMethod[], country: string): string[] {
  const read = earlier
    .filter((answers) => country === '' || answers.country === country)
    .map((answers) => answers.method_version);
  return ascending([currentMethodVersion, ...read]);
}

/** The method version of a day, and whether the day has a sentiment. */
export type DayMethod = { method_version: string; has_sentiment: boolean };

/**
 * The method versions of a window that is compared with another one. `+llm` says who rated the sentiments of a day; with
 * `llmCounts` false, the figure does not depend on it. A day without a sentiment was rated by neither method. It counts
 * as the rated days of its window with the same number do, or as those of the other window. Otherwise brands that are
 * rarely mentioned would hardly ever be comparable.
 */
export function listComparedVersions(
  own: readonly DayMethod[],
  other: readonly DayMethod[],
  { llmCounts }: { llmCounts: boolean },
): string[] {
  if (!llmCounts) return ascending(own.flatMap((day) => toNumbers(day.method_version)));
  const [days, otherDays] = [own, other].map(splitDays) as [DayMethod[], DayMethod[]];
  const versions = days.flatMap((day) => {
    if (day.has_sentiment) return [day.method_version];
    const isLike = (each: DayMethod): boolean =>
      each.has_sentiment && withoutLlm(each.method_version) === withoutLlm(day.method_version);
    const rated = [days, otherDays].map((all) => all.filter(isLike)).find((all) => all.length > 0);
    return rated?.map((each) => each.method_version) ?? [day.method_version];
  });
  return [...new Set(versions)];
}

const splitDays = (days: readonly DayMethod[]): DayMethod[] =>
  days.flatMap((day) =>
    day.method_version.split(',').map((version) => ({ ...day, method_version: version })),
  );
