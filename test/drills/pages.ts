/**
 * Runs the shell blocks of the operator pages that are marked `run`, unchanged, against a stack of its own. Afterwards no
 * table contains data of the organisation that docs/operations/delete-data.md deletes.
 *   pnpm drill:pages
 */
import { strict as assert } from 'node:assert';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BrandVisibilityClient } from '@bv/sdk';
import {
  privateStackOptions,
  type Stack,
  startReceiver,
  startStack,
  steadyEnvironment,
} from '@bv/local-stack';
import pg from 'pg';
import {
  createCustomer,
  createMeasuredBrands,
  createOperatorClient,
  createWebhook,
} from '../fuzz/prepare.ts';
import {
  databaseVariables,
  listShellBlocks,
  operatorPages,
  root,
  runCommands,
} from './documented-commands.ts';

const scratch = await mkdtemp(join(tmpdir(), 'bv-pages-'));
await chmod(scratch, 0o755);
const report = (line: string): void => console.log(line);
/** Commands run in an empty folder. `pnpm` works on the checkout from there, and `operator` is that of the onboarding. */
async function createWorkingDirectory(): Promise<{ cwd: string; bin: string }> {
  const [cwd, bin] = [join(scratch, 'work'), join(scratch, 'bin')];
  await mkdir(cwd);
  await mkdir(bin);
  const pnpm = `exec "${join(root, '.tools/node_modules/.bin/pnpm')}" --dir "${root}"`;
  await writeFile(join(bin, 'pnpm'), `#!/bin/sh\n${pnpm} "$@"\n`, { mode: 0o755 });
  await writeFile(join(bin, 'operator'), `#!/bin/sh\n${pnpm} --silent operator "$@"\n`, { mode: 0o755 });
  return { cwd, bin };
}

/** An organisation with brands, a scan, results and a webhook delivery. */
async function createOrganisation(
  stack: Stack,
): Promise<{ orgId: string; keyPrefix: string; marks: string[] }> {
  const receiver = await startReceiver();
  const { orgId, key } = await createCustomer(stack);
  const client = new BrandVisibilityClient({ baseUrl: stack.baseUrl, apiKey: key });
  const endpoint = await createWebhook(client, receiver);
  const brands = await createMeasuredBrands(client, orgId);
  const ownKey = await createOperatorClient(stack)('POST', `/orgs/${orgId}/keys`, { scopes: ['read'] });
  await receiver.waitFor(({ body }) => body.includes(brands.BV_FUZZ_BRAND));
  await receiver.close();
  assert(endpoint.BV_FUZZ_ENDPOINT !== '');
  return {
    orgId,
    keyPrefix: ownKey.key?.slice(0, 12) ?? '',
    marks: [...Object.values(brands), ownKey.id, 'globex.com', 'initech.com', 'Which CRM is best?'],
  };
}

/** Names of tables whose rows end after days, as docs/operations/delete-data.md says. */
const endsAfterDays = String.raw`\.outbox$|^webhooks\.processed_operations$`;

/** The tables with a row that contains one of the texts, as `schema.table: text`. */
async function findRows(url: string, marks: readonly string[]): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
        where schemaname in ('gateway', 'catalog', 'results', 'scans', 'webhooks')
          and schemaname || '.' || tablename !~ $1
        order by 1`,
      [endsAfterDays],
    );
    const found: string[] = [];
    for (const { name } of tables) {
      for (const mark of marks) {
        const { rowCount } = await client.query(
          `select from ${name} as one where strpos(one::text, $1) > 0 limit 1`,
          [mark],
        );
        if (rowCount !== 0) found.push(`${name}: ${mark}`);
      }
    }
    return found;
  } finally {
    await client.end();
  }
}

/** It comes last, because other pages use the organisation. */
const deletion = 'docs/operations/delete-data.md';
const tombstones = [
  'catalog.org_purges',
  'catalog.orgs',
  'gateway.org_access',
  'gateway.org_purges',
  'results.org_purges',
  'results.orgs',
  'scans.org_purges',
  'scans.orgs',
  'webhooks.org_purges',
  'webhooks.orgs',
];

async function runPages(stack: Stack): Promise<void> {
  const { cwd, bin } = await createWorkingDirectory();
  const { orgId, keyPrefix, marks } = await createOrganisation(stack);
  const databases = databaseVariables(stack.urls.postgres);
  const url = databases.PRODUCT_DATABASE_URL;
  assert((await findRows(url, marks)).length > 20, 'the organisation has too little data');
  const variables = {
    PATH: `${bin}:${process.env['PATH']}`,
    BASE: stack.baseUrl,
    OPERATOR_URL: new URL(stack.operatorUrl).origin,
    OPERATOR_TOKEN: stack.secrets.operatorToken,
    ...databases,
    ORG: orgId,
    KEY_PREFIX: keyPrefix,
  };
  let count = 0;
  for (const page of [...operatorPages.filter((page) => page !== deletion), deletion]) {
    const blocks = listShellBlocks(page).filter(({ name }) => name === 'run');
    if (blocks.length === 0) continue;
    count += blocks.length;
    report(`${page}: ${blocks.length} blocks`);
    runCommands(blocks.map(({ commands }) => commands).join('\n'), { cwd, variables });
  }
  assert(count > 0, 'no block is marked run');
  const left = await findRows(url, [...marks, orgId]);
  assert.deepEqual(
    left,
    tombstones.map((table) => `${table}: ${orgId}`),
  );
}

const stack = await startStack(privateStackOptions(join(scratch, 'data'), steadyEnvironment), report);
try {
  await runPages(stack);
  report('every block succeeded, and no data of the deleted organisation is left');
} finally {
  await stack.stop();
  await rm(scratch, { recursive: true, force: true });
}
process.exit();
