/** The guide of each operation: that of its id, else that of its tag. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Call } from './openapi.ts';

const guides: Record<string, string> = {
  getKey: 'authentication',
  getOrg: 'limits',
  createProperty: 'quick-start',
  listBrandSummaries: 'read-your-figures',
  listBreakdown: 'read-your-figures',
  listSources: 'read-your-figures',
  listPages: 'read-your-figures',
  getChanges: 'read-your-figures',
  reprocessBrand: 'brand-names',
  getReprocess: 'brand-names',
  Organisations: 'concepts',
  Brands: 'brand-names',
  Prompts: 'concepts',
  Results: 'methodology',
  Scans: 'concepts',
  Webhooks: 'webhooks',
};

export function guideOf({ operation }: Call): string {
  const name = guides[operation.operationId] ?? guides[operation.tags[0] ?? ''] ?? 'concepts';
  const markdown = readFileSync(join(import.meta.dirname, `../../guides/${name}.md`), 'utf8');
  return `[${/^# (.+)$/m.exec(markdown)?.[1]}](../guides/${name}.md)`;
}
