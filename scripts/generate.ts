/**
 * Writes every generated file of the repository from its source. With `--check` it only lists files that differ, and
 * exits with status 1:
 *   docs/openapi.json        from libs/contract
 *   docs/events/*.json       from libs/events
 *   docs/guides/error-codes.md  from libs/contract
 *   docs/guides/mcp.md       the arguments of the tools, from services/gateway
 *   docs/assets/*.svg        from the recorded series of tools/codegen
 *   docs/configuration.md    from each service's config.ts
 *   deploy/helm/brand-visibility/values.schema.json  from values.yaml and each service's config.ts
 *   deploy/helm/brand-visibility/files/dashboards/*.json  from tools/chart
 *   clients/sdk/src/generated   from libs/contract, and retry-after.ts from libs/resilience
 *   services/x/schema.sql, docs/data-model.md  from each service's migrations, through a real Postgres
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { dashboards, valuesSchema } from '@bv/chart';
import {
  configurationDocument,
  createApiDocument,
  dataModelPage,
  errorCodesPage,
  eventSchemas,
  mcpPage,
  guidePictures,
  publicApi,
  schemaDumps,
  sdkSources,
  toJsonLines,
} from '@bv/codegen';

const root = join(import.meta.dirname, '..');
const check = process.argv.includes('--check');

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

async function generated(): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  files.set('docs/openapi.json', json(createApiDocument(publicApi)));
  for (const [type, schema] of eventSchemas()) files.set(`docs/events/${type}.json`, json(schema));
  files.set(...errorCodesPage());
  files.set(...(await mcpPage(root)));
  for (const [path, svg] of guidePictures()) files.set(path, svg);
  files.set('docs/configuration.md', await configurationDocument());
  files.set('deploy/helm/brand-visibility/values.schema.json', `${toJsonLines(await valuesSchema(), 5)}\n`);
  for (const [name, dashboard] of dashboards()) {
    files.set(`deploy/helm/brand-visibility/files/dashboards/${name}.json`, `${toJsonLines(dashboard, 2)}\n`);
  }
  for (const [path, content] of sdkSources(root)) files.set(path, content);
  const dumps = await schemaDumps(root);
  for (const [service, dump] of dumps) files.set(`services/${service}/schema.sql`, dump);
  files.set(...dataModelPage(dumps));
  return files;
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

const drifted: string[] = [];
for (const [path, content] of await generated()) {
  const file = join(root, path);
  if ((await readIfThere(file)) === content) continue;
  drifted.push(path);
  if (check) continue;
  await mkdir(dirname(file), { recursive: true });
  await rm(file, { force: true });
  await writeFile(file, content);
}

for (const path of drifted) console.log(check ? `drifted: ${path}` : `written: ${path}`);
console.log(
  drifted.length === 0 ? 'generated files are up to date' : `${drifted.length} generated files changed`,
);
if (check && drifted.length > 0) {
  console.log('run `pnpm generate` and commit the files');
  process.exitCode = 1;
}
