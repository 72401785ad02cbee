/** The navigation of the guides. */
type Group = { title: string; guides: readonly string[] };

const groups: readonly Group[] = [
  { title: 'Start', guides: ['quick-start', 'concepts', 'limits', 'versioning'] },
  {
    title: 'Figures',
    guides: ['read-your-figures', 'methodology', 'method-in-depth', 'sentiment', 'brand-names'],
  },
  {
    title: 'Requests',
    guides: ['authentication', 'pagination', 'idempotency', 'errors', 'error-codes'],
  },
  { title: 'Webhooks', guides: ['webhooks', 'webhook-events'] },
  { title: 'Clients', guides: ['clients', 'mcp', 'warehouse'] },
];

const grouped = groups.flatMap(({ guides }) => guides);

/** The place of a guide in the navigation. Guides without a group come last. */
export const placeOf = (name: string): number =>
  grouped.includes(name) ? grouped.indexOf(name) : grouped.length;

/** The groups that have at least one of these guides, each with those in order. Guides without a group are "More". */
export function groupGuides<Guide extends { name: string }>(
  all: readonly Guide[],
): { title: string; guides: Guide[] }[] {
  const toGuides = (names: readonly string[]): Guide[] => all.filter(({ name }) => names.includes(name));
  const others = all.map(({ name }) => name).filter((name) => !grouped.includes(name));
  return [...groups, { title: 'More', guides: others }]
    .map(({ title, guides }) => ({ title, guides: toGuides(guides) }))
    .filter(({ guides }) => guides.length > 0);
}
