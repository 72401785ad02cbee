import type { SourceCategory } from '@bv/contract';
import type { z } from 'zod';

type Category = z.infer<typeof SourceCategory>;

/** Well-known registrable domains by category. The list is short: other domains are classified by their suffix. */
const knownDomains: Partial<Record<Category, readonly string[]>> = {
  reference: ['wikipedia.org', 'wikidata.org', 'britannica.com', 'investopedia.com', 'wiktionary.org'],
  forum: [
    'reddit.com',
    'quora.com',
    'stackexchange.com',
    'stackoverflow.com',
    'ycombinator.com',
    'gutefrage.net',
  ],
  social: [
    'facebook.com',
    'instagram.com',
    'linkedin.com',
    'x.com',
    'twitter.com',
    'tiktok.com',
    'pinterest.com',
    'threads.net',
  ],
  video: ['youtube.com', 'youtu.be', 'vimeo.com', 'twitch.tv', 'dailymotion.com'],
  review: [
    'g2.com',
    'capterra.com',
    'trustpilot.com',
    'trustradius.com',
    'tripadvisor.com',
    'yelp.com',
    'consumerreports.org',
    'which.co.uk',
    'test.de',
    'rtings.com',
    'wirecutter.com',
  ],
  ecommerce: [
    'amazon.com',
    'amazon.de',
    'amazon.co.uk',
    'amazon.fr',
    'ebay.com',
    'walmart.com',
    'etsy.com',
    'aliexpress.com',
    'bestbuy.com',
    'target.com',
    'mercadolibre.com',
    'zalando.com',
  ],
  directory: [
    'crunchbase.com',
    'yellowpages.com',
    'producthunt.com',
    'alternativeto.net',
    'clutch.co',
    'glassdoor.com',
    'bbb.org',
  ],
  news: [
    'nytimes.com',
    'theguardian.com',
    'bbc.com',
    'bbc.co.uk',
    'reuters.com',
    'apnews.com',
    'cnn.com',
    'forbes.com',
    'bloomberg.com',
    'wsj.com',
    'ft.com',
    'washingtonpost.com',
    'theverge.com',
    'techcrunch.com',
    'wired.com',
    'cnet.com',
    'spiegel.de',
    'lemonde.fr',
    'elpais.com',
    'businessinsider.com',
    'cnbc.com',
    'usatoday.com',
  ],
  blog: [
    'medium.com',
    'substack.com',
    'wordpress.com',
    'blogspot.com',
    'tumblr.com',
    'dev.to',
    'hashnode.dev',
  ],
  academic: [
    'arxiv.org',
    'nature.com',
    'sciencedirect.com',
    'springer.com',
    'wiley.com',
    'jstor.org',
    'researchgate.net',
    'semanticscholar.org',
  ],
};

export const byDomain: ReadonlyMap<string, Category> = new Map(
  Object.entries(knownDomains).flatMap(([category, domains]) =>
    domains.map((domain) => [domain, category as Category]),
  ),
);

const academicSuffix = /\.(edu|ac\.[a-z]{2}|edu\.[a-z]{2})$/;
const institutionSuffix = /\.(gov|mil|int|gov\.[a-z]{2}|gob\.[a-z]{2}|gouv\.fr|europa\.eu)$/;

/**
 * Category of a cited domain. The domains of the brand and its tracked competitors come first, then the list, then the
 * suffix of the domain, then `other`.
 */
export function classifyDomain(
  domain: string,
  tracked: { own: string; competitors: { has(domain: string): boolean } },
): Category {
  if (domain === tracked.own) return 'own';
  return tracked.competitors.has(domain) ? 'competitor' : listedCategory(domain);
}

/** The category of a domain that is not tracked. */
export function listedCategory(domain: string): Category {
  const knownCategory = byDomain.get(domain);
  if (knownCategory !== undefined) return knownCategory;
  if (academicSuffix.test(`.${domain}`)) return 'academic';
  if (institutionSuffix.test(`.${domain}`)) return 'institution';
  return 'other';
}
