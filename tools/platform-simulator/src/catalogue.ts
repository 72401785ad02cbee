/** A brand the simulator may name. */
export type KnownBrand = { name: string; domain: string };

type Topic = { words: RegExp; brands: readonly (readonly [name: string, domain: string])[] };

/** The knowledge of the simulated platforms: brands that are named for a topic. */
const topics: readonly Topic[] = [
  {
    words: /\bcrm\b|sales|vertrieb|ventas|vente|顧客管理|営業/i,
    brands: [
      ['HubSpot', 'hubspot.com'],
      ['Salesforce', 'salesforce.com'],
      ['Pipedrive', 'pipedrive.com'],
      ['Zoho CRM', 'zoho.com'],
      ['Freshsales', 'freshworks.com'],
    ],
  },
  {
    words: /project|task|team|projekt|projet|proyecto|aufgaben|タスク/i,
    brands: [
      ['Asana', 'asana.com'],
      ['monday.com', 'monday.com'],
      ['Trello', 'trello.com'],
      ['ClickUp', 'clickup.com'],
      ['Notion', 'notion.so'],
    ],
  },
  {
    words: /shoe|sneaker|running|schuh|chaussure|zapat|scarpe|靴/i,
    brands: [
      ['Nike', 'nike.com'],
      ['adidas', 'adidas.com'],
      ['ASICS', 'asics.com'],
      ['Brooks', 'brooksrunning.com'],
      ['Hoka', 'hoka.com'],
    ],
  },
  {
    words: /bank|card|konto|banque|banco|loan|kredit|銀行/i,
    brands: [
      ['Revolut', 'revolut.com'],
      ['N26', 'n26.com'],
      ['Wise', 'wise.com'],
      ['Monzo', 'monzo.com'],
      ['bunq', 'bunq.com'],
    ],
  },
  {
    words: /hotel|travel|flight|reise|voyage|viaje|urlaub|旅行/i,
    brands: [
      ['Booking.com', 'booking.com'],
      ['Expedia', 'expedia.com'],
      ['Airbnb', 'airbnb.com'],
      ['Kayak', 'kayak.com'],
      ['Trivago', 'trivago.com'],
    ],
  },
  {
    words: /phone|laptop|computer|tv\b|camera|handy|téléphone|teléfono|携帯/i,
    brands: [
      ['Samsung', 'samsung.com'],
      ['Sony', 'sony.com'],
      ['Apple', 'apple.com'],
      ['Lenovo', 'lenovo.com'],
      ['Xiaomi', 'mi.com'],
    ],
  },
];

const fallbackTopic: Topic = {
  words: /./,
  brands: [
    ['Northwind', 'northwind.example.com'],
    ['Contoso', 'contoso.com'],
    ['Fabrikam', 'fabrikam.com'],
    ['Globex', 'globex.example.org'],
    ['Initech', 'initech.example.net'],
  ],
};

export function brandsForTopic(prompt: string): KnownBrand[] {
  const topic = topics.find(({ words }) => words.test(prompt)) ?? fallbackTopic;
  return topic.brands.map(([name, domain]) => ({ name, domain }));
}

const everyBrand = topics.flatMap(({ brands }) => brands.map(([name, domain]) => ({ name, domain })));

/** Brands that the prompt names: known brands, hosts and, unless the language capitalises nouns, capitalised names. */
export function brandsInPrompt(prompt: string, language: string, known: readonly KnownBrand[]): KnownBrand[] {
  const named = [...known, ...everyBrand].filter(({ name }) => hasName(prompt, name));
  const hosts = Array.from(
    prompt.matchAll(/\b[a-z0-9-]{2,40}\.(?:com|org|net|io|de|fr|co)\b/gi),
    ([host]) => ({
      name: host.charAt(0).toUpperCase() + host.slice(1).replace(/\..*$/, ''),
      domain: host.toLowerCase(),
    }),
  );
  // Not the first word, which is capitalised anyway, nor an abbreviation such as CRM.
  const capitalised = Array.from(
    prompt.matchAll(/(?<=\S )\p{Lu}\p{Ll}[\p{L}\p{N}]+(?: \p{Lu}\p{Ll}[\p{L}\p{N}]+){0,2}/gu),
    ([name]) => ({ name, domain: domainFor(name) }),
  );
  return distinct([...named, ...hosts, ...(language === 'de' ? [] : capitalised)]);
}

function domainFor(name: string): string {
  const label = name.normalize('NFD').replace(/[^a-z0-9]/gi, '');
  return `${label.toLowerCase() || 'unnamed'}.example.com`;
}

export function distinct(brands: readonly KnownBrand[]): KnownBrand[] {
  const seen = new Map<string, KnownBrand>();
  for (const brand of brands)
    if (!seen.has(brand.name.toLowerCase())) seen.set(brand.name.toLowerCase(), brand);
  return [...seen.values()];
}

function hasName(prompt: string, name: string): boolean {
  const at = prompt.toLowerCase().indexOf(name.toLowerCase());
  if (at === -1) return false;
  return !/[\p{L}\p{N}]/u.test(prompt.charAt(at - 1) + prompt.charAt(at + name.length));
}

/** Sites that cover all brands. */
export const editorialSites: readonly [string, ...string[]] = [
  'https://www.g2.com/categories/',
  'https://www.capterra.com/',
  'https://en.wikipedia.org/wiki/',
  'https://www.reddit.com/r/',
  'https://www.techradar.com/best/',
  'https://www.forbes.com/advisor/',
  'https://www.youtube.com/watch?v=',
  'https://www.trustpilot.com/review/',
  'https://www.nytimes.com/wirecutter/',
  'https://www.zdnet.com/article/',
];
