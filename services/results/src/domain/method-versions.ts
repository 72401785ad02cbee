/** The method version of a day, and whether the day has a sentiment. */
export type DayMethod = { method_version: string; has_sentiment: boolean };

/** The version without `+llm`. */
const numberOf = ({ method_version: version }: DayMethod): string => version.replace(/\+llm$/, '');

/**
 * The method versions of a window that is compared with another one. `+llm` says who rated the sentiments of a day. A day
 * without one was rated by neither method. It counts as the rated days of its window with the same number do, or as
 * those of the other window. Otherwise brands that are rarely mentioned would hardly ever be comparable.
 */
export function listComparedVersions(own: readonly DayMethod[], other: readonly DayMethod[]): string[] {
  const versions = own.flatMap((day) => {
    if (day.has_sentiment) return [day.method_version];
    const isLike = (each: DayMethod): boolean => each.has_sentiment && numberOf(each) === numberOf(day);
    const rated = [own, other].map((days) => days.filter(isLike)).find((days) => days.length > 0);
    return rated?.map((each) => each.method_version) ?? [day.method_version];
  });
  return [...new Set(versions)];
}
