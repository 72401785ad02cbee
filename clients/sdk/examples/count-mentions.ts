/** Counts the mentions of every own brand by platform. Requires BV_BASE_URL and BV_API_KEY. */
import { BrandVisibilityClient } from '@bv/sdk';
import { readSettings } from './config.ts';

const client = new BrandVisibilityClient(readSettings());

for await (const org of client.listOrgs()) {
  for await (const brand of client.listBrands({ orgId: org.id, is_own: true })) {
    const counts = new Map<string, { mentioned: number; total: number }>();
    // If a scan changes the data between two pages, the list restarts: drop the counts so far.
    const mentions = client.listMentions(
      { orgId: org.id, brandId: brand.id, limit: 1000 },
      { onStale: 'restart', onRestart: () => counts.clear() },
    );
    for await (const { platform, mentioned } of mentions) {
      const count = counts.get(platform) ?? { mentioned: 0, total: 0 };
      count.total += 1;
      if (mentioned) count.mentioned += 1;
      counts.set(platform, count);
    }
    for (const [platform, { mentioned, total }] of counts) {
      console.log(`${brand.name} ${platform} ${mentioned}/${total}`);
    }
  }
}
