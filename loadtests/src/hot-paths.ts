import type { RunData } from './record.ts';

type Call = { method: string; path: string; body?: unknown };

export type HotPath = {
  /** Name of its profile file. */
  name: string;
  title: string;
  service: 'catalog' | 'results' | 'gateway';
  /** Number of parallel calls. */
  concurrency: number;
  call(number: number): Call;
};

/** The most frequent calls, with the data of a run with one organisation. */
export function hotPaths(data: RunData): HotPath[] {
  const [org] = data.orgs;
  const [brand] = org?.brands ?? [];
  const base = `/orgs/${org?.orgId}`;
  const brandPath = `${base}/brands/${brand?.brandId}`;
  const list = { method: 'GET', path: `${base}/prompts?limit=50` };
  const mentions = { method: 'GET', path: `${brandPath}/mentions?limit=1000` };
  return [
    { name: 'gateway', title: 'The gateway, reads', service: 'gateway', concurrency: 8, call: () => list },
    { name: 'list', title: 'A list of fifty prompts', service: 'catalog', concurrency: 8, call: () => list },
    {
      name: 'mentions',
      title: 'A page of a thousand mentions',
      service: 'results',
      concurrency: 8,
      call: () => mentions,
    },
    ...writes(base, org?.brands ?? [], data.mark),
  ];
}

type Brand = RunData['orgs'][number]['brands'][number];

function writes(base: string, brands: readonly Brand[], mark: string): HotPath[] {
  const [first] = brands;
  // Brands alternate, because writes of one brand wait for each other.
  const prompts = (first?.promptIds ?? []).flatMap((_, place) =>
    brands.map(({ promptIds }) => promptIds[place]),
  );
  const texts = (first?.promptIds ?? []).map((_, index) => `Which tool is best for task ${index}?`);
  const rows = (number: number): object[] =>
    texts.map((text, index) => ({ text, countries: ['US'], tags: index === 0 ? [`${number}`] : [] }));
  const property = (number: number): object => ({
    name: `Shop ${number}`,
    domain: `shop-${mark}-${number}.com`,
    markets: ['US'],
    competitors: [{ name: 'HubSpot', domain: 'hubspot.com' }],
  });
  return [
    {
      name: 'prompt-update',
      title: 'Updates of prompts',
      service: 'catalog',
      concurrency: 8,
      call: (number) => ({
        method: 'PATCH',
        path: `${base}/prompts/${prompts[number % prompts.length]}`,
        body: { tags: [`tag ${number}`] },
      }),
    },
    {
      name: 'sync',
      title: 'Syncs of fifty prompts, one changed',
      service: 'catalog',
      concurrency: 1,
      call: (number) => ({
        method: 'PUT',
        path: `${base}/brands/${first?.brandId}/prompts`,
        body: { prompts: rows(number) },
      }),
    },
    {
      name: 'property',
      title: 'Properties with a competitor',
      service: 'catalog',
      concurrency: 8,
      call: (number) => ({ method: 'POST', path: `${base}/properties`, body: property(number) }),
    },
  ];
}
