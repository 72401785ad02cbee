import { isDeepStrictEqual } from 'node:util';
import { waitUntil } from '@bv/local-stack';
import { host, text, type Run, type Tracked } from './run.ts';
import { fail } from './transport.ts';

type Item = Record<string, any>; // oxlint-disable-line typescript/no-explicit-any -- list items of every shape

function checkSame(what: string, actual: unknown, expected: unknown): void {
  if (isDeepStrictEqual(actual, expected)) return;
  fail(`${what}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`);
}

/** All items of a list, in pages of two. */
async function listAll({ system }: Run, key: string, path: string): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const query: string = cursor === '' ? '?limit=2' : `?limit=2&cursor=${encodeURIComponent(cursor)}`;
    const { status, body, text: responseText } = await system.call('GET', path + query, { key });
    if (status !== 200) fail(`GET ${path}: ${status} ${responseText}`);
    items.push(...body.data);
    cursor = body.pagination.next_cursor;
  }
  return items;
}

/** Compares the lists of the API and the rows of the tables with the state of the model. */
export async function compare(run: Run): Promise<void> {
  for (const tracked of run.orgs) {
    await compareBrands(run, tracked);
    await comparePrompts(run, tracked);
  }
  await compareLinks(run);
  await compareWebhooks(run);
  await compareTables(run);
}

async function compareBrands(run: Run, { rules, orgId, keys: { owner }, brandIds }: Tracked): Promise<void> {
  const { catalog } = rules;
  const listed = await listAll(run, owner, `/orgs/${orgId}/brands`);
  const present = catalog.brands.filter(({ archived }) => !archived).map(({ domain }) => host(domain));
  checkSame(
    'own brands',
    listed.filter(({ is_own }) => is_own).map(({ domain }) => domain),
    present,
  );
  for (const [at, { archived, competitors, identity }] of catalog.brands.entries()) {
    const { body } = await run.system.call('GET', `/orgs/${orgId}/brands/${brandIds[at]}`, { key: owner });
    const { name, aliases, match } = body.data;
    const { name: given = 'Brand', aliases: others = [], match: { verify } = { verify: false } } = identity;
    checkSame('identity', [name, aliases, match.verify], [given, others, verify]);
    checkSame('archived', body.data.sunset_at !== null, archived);
    const domains = body.data.competitors.map(({ domain }: Item) => domain).sort();
    checkSame('competitors', domains, [...competitors].map(host).sort());
  }
  const { body } = await run.system.call('GET', `/orgs/${orgId}`, { key: owner });
  const { prompts, own_brands, countries } = body.data.usage;
  checkSame(
    'usage',
    [prompts.used, own_brands.used, countries.codes],
    [catalog.counted().length, catalog.ownBrands(), [...catalog.countries()].sort()],
  );
}

async function comparePrompts(
  run: Run,
  { rules, orgId, keys: { owner }, brandIds, promptIds }: Tracked,
): Promise<void> {
  const listed = await listAll(run, owner, `/orgs/${orgId}/prompts`);
  const expected = rules.catalog.prompts.map((prompt, at) => ({
    id: promptIds[at],
    brand: brandIds[prompt.brand],
    text: text(prompt.text),
    active: prompt.active,
    countries: [...prompt.countries].sort(),
  }));
  const actual = listed.map(({ id, brand_id: brand, text: promptText, active, countries }) => ({
    id,
    brand,
    text: promptText,
    active,
    countries: countries.toSorted(),
  }));
  checkSame('prompts', actual, expected);
}

async function compareLinks(run: Run): Promise<void> {
  const [{ keys }] = run.orgs;
  const reached = await listAll(run, keys.partner, '/orgs');
  const linked = run.orgs
    .filter(({ rules }) => rules.link !== null)
    .map(({ orgId, rules: { link } }) => ({ id: orgId, link_scope: link?.scope, external_ref: link?.ref }))
    .sort((one, other) => (one.id < other.id ? -1 : 1));
  checkSame(
    "the partner's organisations",
    reached.map(({ id, link_scope, external_ref }) => ({ id, link_scope, external_ref })),
    linked,
  );
  checkSame("the stranger's organisations", await listAll(run, keys.stranger, '/orgs'), []);
  const own = await listAll(run, keys.owner, '/orgs');
  checkSame(
    "the owner's organisations",
    own.map(({ id }) => id),
    [run.orgs[0].orgId],
  );
}

async function compareWebhooks(run: Run): Promise<void> {
  const [{ keys }] = run.orgs;
  const byId = (one: { id?: string }, other: { id?: string }): number =>
    (one.id ?? '') < (other.id ?? '') ? -1 : 1;
  const listed = await listAll(run, keys.partner, '/webhook-endpoints');
  const kept = run.webhooks.endpoints.map(({ id, description }) => ({ id, description }));
  checkSame(
    'endpoints',
    listed.map(({ id, description }) => ({ id, description })),
    kept.sort(byId),
  );
  for (const { id, subscriptions } of run.webhooks.endpoints) {
    const found = await listAll(run, keys.partner, `/webhook-endpoints/${id}/subscriptions`);
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
    checkSame('subscriptions', actual.sort(byId), expected.sort(byId));
  }
}

/** Compares the number of rows, which also finds rows that no list shows. */
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
    checkSame('rows', await read(), expected);
    const behind = async (): Promise<number> => {
      const [row] = await run.system.rows<{ behind: number }>(
        `select count(*)::int as behind from catalog.prompts p
         left join results.prompts r using (id) where p.org_id = $1 and r.version is distinct from p.version`,
        [orgId],
      );
      return row?.behind ?? -1;
    };
    if (!(await waitUntil(async () => (await behind()) === 0, { timeoutMs: 10_000, intervalMs: 50 })))
      fail(`${await behind()} prompts in results are not up to date`);
  }
}
