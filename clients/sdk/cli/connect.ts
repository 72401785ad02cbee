import { BrandVisibilityClient, sdkVersion } from '@bv/sdk';
import { readSettings } from './config.ts';
import { UsageError } from './failure.ts';

/** A client with the settings of the environment. */
export const connect = (): BrandVisibilityClient =>
  new BrandVisibilityClient({ ...readSettings(), userAgent: `brand-visibility/${sdkVersion}` });

/** The organisation of the option, or the only one of the key. */
export async function findOrg(client: BrandVisibilityClient, written: string | undefined): Promise<string> {
  if (written !== undefined) return written;
  const { data, hasMore } = await client.listOrgs({ limit: 2 }).page();
  const [org] = data;
  if (org === undefined) throw new UsageError('the key has access to no organisation');
  if (data.length > 1 || hasMore) throw new UsageError('the key has several organisations: pass --org <id>');
  return org.id;
}
