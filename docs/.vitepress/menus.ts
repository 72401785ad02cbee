/** The menus of the site, and the guides in their order. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

type Link = { text: string; link: string };
type Group = { text: string; items: Link[]; collapsed?: boolean };
export type Page = { path: string; title: string; markdown: string };

const docs = join(import.meta.dirname, '..');

const guideGroups: Record<string, readonly string[]> = {
  Start: ['quick-start', 'concepts', 'limits', 'versioning'],
  Figures: [
    'read-your-figures',
    'methodology',
    'method-in-depth',
    'how-many-prompts',
    'did-our-change-work',
    'sentiment',
    'brand-names',
    'brands-nobody-tracks',
  ],
  Requests: ['authentication', 'pagination', 'idempotency', 'errors', 'error-codes'],
  Webhooks: ['webhooks', 'webhook-events'],
  Clients: ['clients', 'mcp', 'warehouse'],
};

const operatorGroups: Record<string, readonly string[]> = {
  Install: [
    'requirements',
    'install-compose',
    'install-helm',
    'small-cluster',
    'data-stores',
    'past-one-postgres',
    'onboarding',
    'clients',
  ],
  'Managed stores': ['postgres-rds', 'postgres-cloud-sql', 'postgres-azure', 'managed-redis-nats'],
  Run: ['monitoring', 'runbooks', 'troubleshooting', 'outages', 'correct-results', 'platform-costs'],
  Keep: ['backup', 'failover', 'upgrade', 'secrets-rotation', 'retention', 'delete-data', 'uninstall'],
};

function readPage(path: string): Page {
  const markdown = readFileSync(join(docs, `${path}.md`), 'utf8');
  return { path, markdown, title: /^# (.+)$/m.exec(markdown)?.[1] ?? path };
}

const readFolder = (folder: string): Page[] =>
  readdirSync(join(docs, folder))
    .filter((file) => file.endsWith('.md'))
    .map((file) => readPage(`${folder}/${file.slice(0, -'.md'.length)}`));

const toLink = ({ path, title }: Page): Link => ({ text: title, link: `/${path}` });

/** The pages of a folder in groups. Pages that no group names are "More". */
function group(folder: string, groups: Record<string, readonly string[]>): (Group & { pages: Page[] })[] {
  const pages = readFolder(folder);
  const named = Object.values(groups).flat();
  const nameOf = ({ path }: Page): string => path.slice(folder.length + 1);
  const more = pages.map(nameOf).filter((name) => !named.includes(name));
  return Object.entries({ ...groups, More: more }).flatMap(([text, names]) => {
    const members = names.flatMap((name) => pages.filter((page) => nameOf(page) === name));
    return members.length === 0 ? [] : [{ text, pages: members, items: members.map(toLink) }];
  });
}

export const readGuides = (): Page[] => group('guides', guideGroups).flatMap(({ pages }) => pages);

const toSidebar = (groups: readonly Group[]): Group[] => groups.map(({ text, items }) => ({ text, items }));

const operatorPages = (): Group[] => [
  { text: 'Operations', items: [readPage('operations')].map(toLink) },
  ...toSidebar(group('operations', operatorGroups)),
  {
    text: 'Look up',
    items: ['configuration', 'capacity-planning', 'performance', 'glossary'].map(readPage).map(toLink),
  },
];

/** The sidebar by the start of the path. */
export function sidebar(isForOperators: boolean): Record<string, Group[]> {
  const reference = [readPage('reference'), ...readFolder('reference')];
  const forOperators = isForOperators ? operatorPages() : [];
  const starts = ['operations', 'configuration', 'capacity-planning', 'performance', 'glossary'];
  return {
    '/guides/': toSidebar(group('guides', guideGroups)),
    '/reference': [{ text: 'Reference', items: reference.map(toLink) }],
    ...Object.fromEntries(starts.map((start) => [`/${start}`, forOperators])),
  };
}

const { version: release } = JSON.parse(readFileSync(join(docs, '../package.json'), 'utf8')) as {
  version: string;
};

export const navigation = (isForOperators: boolean) => [
  { text: 'Guides', link: '/guides/quick-start', activeMatch: '^/guides/' },
  { text: 'Reference', link: '/reference', activeMatch: '^/reference' },
  isForOperators
    ? { text: 'Operations', link: '/operations', activeMatch: '^/operations' }
    : // A page outside the site: `target` keeps the router from it.
      { text: 'Explorer', link: '/explore', target: '_self' },
  { text: `Release ${release}`, link: '/changelog' },
];
