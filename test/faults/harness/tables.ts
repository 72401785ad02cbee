import type { System } from './system.ts';

/** Count and digest of the rows that contain one of the ids, by table. A change of these rows changes the digest. */
export async function digestRows(
  system: System,
  ids: readonly string[],
  except: readonly string[] = [],
): Promise<Map<string, string>> {
  const tables = await system.rows<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname in ('gateway', 'catalog', 'results', 'scans', 'webhooks') order by 1`,
  );
  const found = new Map<string, string>();
  const pattern = ids.map((id) => `%${id}%`);
  for (const { name } of tables) {
    if (except.includes(name)) continue;
    const [digest] = await system.rows<{ count: string; digest: string }>(
      `select count(*)::text as count, coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as digest
       from ${name} t where t::text like any($1)`,
      [pattern],
    );
    found.set(name, `${digest?.count} ${digest?.digest}`);
  }
  return found;
}
