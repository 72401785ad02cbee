/**
 * A second implementation of the published formulas: simple, in exact fractions, from the lines of an import. It shares
 * no code with the service, so that a mistake in one of them makes the test fail.
 */
export type Line = {
  unit_id: string;
  prompt_id: string;
  platform: string;
  country: string;
  run_date: string;
  finalized_at: string;
  outcome: 'answered' | 'no_answer';
  brands: { brand_id: string; position: number | null; sentiment: number | null; cited?: boolean }[];
  sources: { url: string; cited: boolean }[];
  sources_unresolved?: number;
  /** Ids of the brands that were searched for; every tracked brand if it is absent. */
  searched?: readonly string[];
};
export type Tracked = { id: string; host: string };

/** Numerator and denominator. */
type Fraction = [bigint, bigint];
const zero: Fraction = [0n, 1n];
const add = ([a, b]: Fraction, [c, d]: Fraction): Fraction => [a * d + c * b, b * d];

/** A fraction rounded to two decimals, halves away from zero; null if the denominator is 0. */
function toTwoDecimals([top, bottom]: Fraction): number | null {
  if (bottom === 0n) return null;
  return Number((top * 200n + bottom) / (bottom * 2n)) / 100;
}
const share = (part: number, total: number): number | null =>
  toTwoDecimals([BigInt(part) * 100n, BigInt(total)]);
const mean = ([top, bottom]: Fraction, count: number): number | null =>
  toTwoDecimals([top, bottom * BigInt(count)]);
const hundredths = (value: number): bigint => BigInt(Math.round(value * 100));

const getHost = (url: string): string => new URL(url).hostname.split('.').slice(-2).join('.');

function findMention(line: Line, brand: Tracked) {
  const named = line.brands.find(({ brand_id }) => brand_id === brand.id);
  const linked = line.sources.some(({ url, cited }) => cited && getHost(url) === brand.host);
  const position = named?.position ?? null;
  const sentiment = position === null ? null : (named?.sentiment ?? null);
  return { position, sentiment, cited: named?.cited ?? linked };
}

/** The last line of each prompt, platform, country and day. */
export function selectLatest(lines: readonly Line[]): Line[] {
  const latest = new Map<string, Line>();
  for (const line of lines) {
    const key = [line.prompt_id, line.platform, line.country, line.run_date].join(' ');
    const previous = latest.get(key);
    if (previous === undefined || previous.finalized_at < line.finalized_at) latest.set(key, line);
  }
  return [...latest.values()];
}

/** The bounds of Wilson's interval: the roots of (p - q)^2 = z^2 q (1 - q) / n. */
function wilson(found: number, of: number): { low: number; high: number } | null {
  if (of === 0) return null;
  const z2 = 1.959963984540054 ** 2;
  const p = found / of;
  const [a, b, c] = [1 + z2 / of, -(2 * p + z2 / of), p * p];
  const root = Math.sqrt(Math.max(0, b * b - 4 * a * c));
  return { low: ((-b - root) / (2 * a)) * 100, high: ((-b + root) / (2 * a)) * 100 };
}

/** The score row of one series and day, from its latest units. */
export function expectedScore(units: readonly Line[], tracked: readonly Tracked[]) {
  const own = tracked[0] ?? { id: '', host: '' };
  const answered = units.filter(({ outcome }) => outcome === 'answered');
  const found = answered.map((line) => findMention(line, own));
  const positions = found.flatMap(({ position }) => position ?? []);
  const sentiments = found.flatMap(({ sentiment }) => sentiment ?? []);
  const unitScores = positions.map((position): Fraction => [1000n, BigInt(9 + position)]);
  const positionSum = positions.reduce((sum, position) => sum + position, 0);
  const sentimentSum = sentiments.reduce((sum, value) => sum + hundredths(value), 0n);
  const cited = found.filter((one) => one.cited).length;
  const unknown = answered.filter((line, index) => line.sources_unresolved && !found[index]?.cited).length;
  const countMentions = (brand: Tracked): number =>
    answered.filter((line) => findMention(line, brand).position !== null).length;
  const allMentions = tracked.reduce((sum, brand) => sum + countMentions(brand), 0);
  return {
    interval: wilson(positions.length, answered.length),
    row: {
      score: mean(unitScores.reduce(add, zero), answered.length),
      mention_rate: share(positions.length, answered.length),
      average_position: mean([BigInt(positionSum), 1n], positions.length),
      sentiment: mean([sentimentSum, 100n], sentiments.length),
      citation_rate: share(cited, answered.length - unknown),
      share_of_voice: share(positions.length, allMentions),
      units_total: units.length,
      units_answered: answered.length,
      units_mentioned: positions.length,
      units_cited: cited,
      units_citations_unknown: unknown,
      units_mentioned_cited: found.filter(({ position, cited: isCited }) => position !== null && isCited)
        .length,
      position_sum: positionSum,
      sentiment_sum: Number(sentimentSum) / 100,
      sentiment_count: sentiments.length,
    },
  };
}

/** Share-of-voice rows of one cell and day, by rank. Brands with equal mentions share a rank. */
export function expectedShares(units: readonly Line[], tracked: readonly Tracked[]) {
  const answered = units.filter(({ outcome }) => outcome === 'answered');
  const counted = tracked.flatMap((brand) => {
    const searched = answered.filter((line) => line.searched?.includes(brand.id) ?? true);
    if (searched.length === 0) return [];
    const positions = searched.flatMap((line) => findMention(line, brand).position ?? []);
    return [{ brand_id: brand.id, searched: searched.length, positions }];
  });
  const total = counted.reduce((sum, { positions }) => sum + positions.length, 0);
  const rows = counted.map(({ brand_id, searched, positions }) => ({
    brand_id,
    share_of_voice: share(positions.length, total),
    mentions: positions.length,
    total_mentions: total,
    units_answered: searched,
    mention_rate: share(positions.length, searched),
    average_position: mean([BigInt(positions.reduce((sum, one) => sum + one, 0)), 1n], positions.length),
    rank: 1 + counted.filter((other) => other.positions.length > positions.length).length,
  }));
  return rows.toSorted((a, b) => a.rank - b.rank || (a.brand_id < b.brand_id ? -1 : 1));
}

/** Source rows over every answered unit of the window, most cited first. */
export function expectedSources(lines: readonly Line[], own: Tracked) {
  const answered = lines.filter(({ outcome }) => outcome === 'answered');
  const links = answered.flatMap((line) => {
    const urls = new Set(line.sources.filter(({ cited }) => cited).map(({ url }) => url));
    return Array.from(urls, (url) => ({ line, url, domain: getHost(url) }));
  });
  const namesCompetitor = ({ brands }: Line): boolean =>
    brands.some(({ brand_id, position }) => brand_id !== own.id && position !== null);
  const rows = [...Map.groupBy(links, ({ domain }) => domain)].map(([domain, domainLinks]) => {
    const units = [...new Set(domainLinks.map(({ line }) => line))];
    const days = units.map(({ run_date }) => run_date).toSorted();
    const count = (by: (link: (typeof links)[number]) => string) =>
      Array.from(Map.groupBy(domainLinks, by), ([key, group]) => ({ key, citations: group.length })).toSorted(
        (a, b) => b.citations - a.citations || (a.key < b.key ? -1 : 1),
      );
    const pages = count(({ url }) => url);
    const unknown = answered.filter((line) => line.sources_unresolved && !units.includes(line)).length;
    const gap = units.filter(
      (line) => namesCompetitor(line) && findMention(line, own).position === null,
    ).length;
    return {
      domain,
      is_own: domain === own.host,
      citations: domainLinks.length,
      units_cited: units.length,
      citation_share: share(domainLinks.length, links.length),
      citation_rate: share(units.length, answered.length - unknown),
      units_answered: answered.length,
      pages: pages.length,
      top_pages: pages.slice(0, 5).map(({ key, citations }) => ({ url: key, citations })),
      platforms: count(({ line }) => line.platform).map(({ key, citations }) => ({
        platform: key,
        citations,
      })),
      countries: [...new Set(units.map(({ country }) => country))].toSorted(),
      mentioned_rate: share(
        units.filter((line) => findMention(line, own).position !== null).length,
        units.length,
      ),
      units_with_competitor: units.filter(namesCompetitor).length,
      units_gap: gap,
      gap_rate: share(gap, units.length),
      first_seen: days[0],
      last_seen: days.at(-1),
    };
  });
  return rows.toSorted((a, b) => b.citations - a.citations || (a.domain < b.domain ? -1 : 1));
}
