import type { BrandVisibilityClient } from '@bv/sdk';

/** Prints what the key may do and how much of its quota is used. */
export async function showKey(
  client: BrandVisibilityClient,
  print: (line: string) => void,
  json = false,
): Promise<void> {
  const key = await client.getKey();
  if (json) return print(JSON.stringify(key, null, 2));
  const { quota, used, resets_at: resetsAt } = key.monthly;
  const lines: [name: string, value: string][] = [
    ['key', `${key.key_prefix}... (${key.kind})`],
    ['name', key.name ?? '-'],
    ['scopes', key.scopes.join(', ')],
    ['expires', key.expires_at ?? 'never'],
    [key.kind, key.org_id ?? key.partner_id ?? '-'],
    ['requests per minute', String(key.per_minute)],
    ['requests this month', `${used} of ${quota ?? 'unlimited'}, resets ${resetsAt}`],
  ];
  for (const [name, value] of lines) print(`${name.padEnd(21)}${value}`);
}
