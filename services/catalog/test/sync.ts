import { listPrompts, syncPrompts } from '@bv/contract';
import type { Catalog, OwnBrand } from './catalog.ts';

export const row = (text: string, fields: object = {}) => ({ text, countries: ['US'], ...fields });
export const rows = (...texts: string[]) => ({ prompts: texts.map((text) => row(text)) });

/** Calls of the prompt sync for the tests of one file. */
export const createSync = (getCatalog: () => Catalog) => ({
  sync: (ownBrand: OwnBrand, body: unknown, operationId?: string) =>
    getCatalog().call(syncPrompts, {
      params: ownBrand,
      body,
      caller: operationId ? { operationId } : {},
    }),
  /** The texts of the active prompts of a brand, sorted. */
  activeTexts: async ({ orgId, brandId }: OwnBrand): Promise<string[]> => {
    const query = `brand_id=${brandId}&active=true&limit=200`;
    const { data } = await getCatalog().call(listPrompts, { params: { orgId }, query });
    return data.map(({ text }) => text).sort();
  },
});
