import { isDeepStrictEqual } from 'node:util';
import { waitUntil } from '@bv/stack';
import { host, text, type Run, type Tracked } from './run.ts';
import { fail } from './transport.ts';

type Item = Record<string, any>; // oxlint-disable-line typescript/no-explicit-any -- list items of every shape

function same(what: string, actual: unknown, expected: unknown): void {
  if (isDeepStrictEqual(actual, expected)) return;
  fail(`${what}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`);
}

/** A list as a client walks it, by pages so small that cursors matter. */
async function walk({ system }: Run, key: string, path: string): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const query: string = cursor === '' ? '?limit=2' : `?limit=2&cursor=${encodeURIComponent(cursor)}`;
    const { status, body, text: said } = await system.call('GET', path + query, { key });
    if (status !== 200) fail(`GET ${path}: ${status} ${said}`);
    items.push(...body.data);
    cursor = body.pagination.next_cursor;
  }
  return items;
}

/** What the API says at the end, and what the tables hold, is what the rules have come to. */
export async function compare(run: Run): Promise<void> {
  for (const tracked of run.orgs) {
    await compareBrands(run, tracked);
    await comparePrompts(run, tracked);
  }
  await compareReach(run);
  await compareWebhooks(run);
  await compareTables(run);
}

async function compareBrands(run: Run, { rules, orgId, keys: { owner }, brandIds }: Tracked): Promise<void> {
  const { catalog } = rules;
  const listed = await walk(run, owner, `/orgs/${orgId}/brands`);
  const present = catalog.brands.filter(({ archived }) => !archived).map(({ domain }) => host(domain));
  same(
    'own brands',
    listed.filter(({ is_own }) => is_own).map(({ domain }) => domain),
    present,
  );
  for (const [at, { archived, competitors }] of catalog.brands.entries()) {
    const { body } = await run.system.call('GET', `/orgs/${orgId}/brands/${brandIds[at]}`, { key: owner });
    same('archived', body.data.sunset_at !== null, archived);
    const domains = body.data.competitors.map(({ domain }: Item) => domain).sort();
    same('competitors', domains, [...competitors].map(host).sort());
  }
  const { body } = await run.system.call('GET', `/orgs/${orgId}`, { key: owner });
  const { prompts, own_brands, countries } = body.data.usage;
  same(
    'usage',
    [prompts.used, own_brands.used, countries.codes],
    [catalog.counted().length, catalog.ownBrands(), [...catalog.countries()].sort()],
  );
}

async function comparePrompts(
  run: Run,
  { rules, orgId, keys: { owner }, brandIds, promptIds }: Tracked,
): Promise<void> {
  const listed = await walk(run, owner, `/orgs/${orgId}/prompts`);
  const expected = rules.catalog.prompts.map((prompt, at) => ({
    id: promptIds[at],
    brand: brandIds[prompt.brand],
    text: text(prompt.text),
    active: prompt.active,
    countries: [...prompt.countries].sort(),
  }));
  const actual = listed.map(({ id, brand_id: brand, text: said, active, countries }) => ({
    id,
    brand,
    text: said,
    active,
    countries: countries.toSorted(),
  }));
  same('prompts', actual, expected);
}

async function compareReach(run: Run): Promise<void> {
  const [{ keys }] = run.orgs;
  const reached = await walk(run, keys.partner, '/orgs');
  const linked = run.orgs
    .filter(({ rules }) => rules.link !== null)
    .map(({ orgId, rules: { link } }) => ({ id: orgId, link_scope: link?.scope, external_ref: link?.ref }))
    .sort((one, other) => (one.id < other.id ? -1 : 1));
  same(
    "the partner's organisations",
    reached.map(({ id, link_scope, external_ref }) => ({ id, link_scope, external_ref })),
    linked,
  );
  same("the stranger's organisations", await walk(run, keys.stranger, '/orgs'), []);
  const own = await walk(run, keys.owner, '/orgs');
  same(
    "the owner's organisations",
    own.map(({ id }) => id),
    [run.orgs[0].orgId],
  );
}

async function compareWebhooks(run: Run): Promise<void> {
  const [{ keys }] = run.orgs;
  const byId = (one: { id?: string }, other: { id?: string }): number =>
    (one.id ?? '') < (other.id ?? '') ? -1 : 1;
  const listed = await walk(run, keys.partner, '/webhook-endpoints');
  const kept = run.webhooks.endpoints.map(({ id, description }) => ({ id, description }));
  same(
    'endpoints',
    listed.map(({ id, description }) => ({ id, description })),
    kept.sort(byId),
  );
  for (const { id, subscriptions } of run.webhooks.endpoints) {
    const found = await walk(run, keys.partner, `/webhook-endpoints/${id}/subscriptions`);
    const expected = subscriptions.map(({ id: subscription, org, brand }) => ({
      id: subscription,
      org_id: org === null ? null : run.orgs[org].orgId,
      brand_id: brand === null ? null : run.orgs[org ?? 0].brandIds[brand],
    }));
    const actual = found.map(({ id: subscription, org_id, brand_id }) => ({
      id: subscription,
      org_id,
      brand_id,
    }));
    same('subscriptions', actual.sort(byId), expected.sort(byId));
  }
}

/** Rows without an owner in the model, or rows that are missing, however the lists look. */
async function compareTables(run: Run): Promise<void> {
  for (const { orgId, rules, brandIds, promptIds } of run.orgs) {
    const scans = rules.scans.length;
    const units = rules.scans.reduce((sum, { units: some }) => sum + some, 0);
    const expected = { brands: brandIds.length, prompts: promptIds.length, scans, units, charged: scans };
    const read = async (): Promise<Item | undefined> => {
      const [row] = await run.system.rows<Item>(
        `select (select count(*)::int from catalog.brands where org_id = $1 and is_own) as brands,
           (select count(*)::int from catalog.prompts where org_id = $1) as prompts,
           (select count(*)::int from scans.scan_jobs where org_id = $1) as scans,
           (select coalesce(sum(units_total), 0)::int from scans.scan_jobs where org_id = $1) as units,
           (select count(*)::int from scans.scan_jobs where org_id = $1 and charged = 'allowance') as charged`,
        [orgId],
      );
      return row;
    };
    same('rows', await read(), expected);
    const behind = async (): Promise<number> => {
      const [row] = await run.system.rows<{ behind: number }>(
        `select count(*)::int as behind from catalog.prompts p
         left join results.prompts r using (id) where p.org_id = $1 and r.version is distinct from p.version`,
        [orgId],
      );
      return row?.behind ?? -1;
    };
    if (!(await waitUntil(async () => (await behind()) === 0, { timeoutMs: 10_000, intervalMs: 50 })))
      fail(`results has not heard of ${await behind()} prompts as they are`);
  }
}
