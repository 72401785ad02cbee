import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { migrate, provision } from '@bv/postgres';
import { distributeResults, joinCluster } from './citus.ts';
import { databaseUrl, serviceUrl, testPassword } from './database-urls.ts';
import { postgresUrls } from './environment.ts';

const servicesDir = fileURLToPath(new URL('../../../services/', import.meta.url));

/** Few, because a clone copies a file for each of their tables and indexes. */
const testPartitions = 4;

/** By service: its migrated template, or the error of its migrations. An error fails only the tests of that service. */
type Templates = Record<string, { database: string } | { error: string }>;

const templatesFile = (runDir: string): string => join(runDir, 'templates.json');

async function migrationFiles(service: string): Promise<string[]> {
  const names = await readdir(join(servicesDir, service, 'migrations')).catch(() => []);
  return names.filter((name) => name.endsWith('.sql')).toSorted();
}

/** The name contains a hash of the migrations, so that runs on one server never use an outdated template. */
async function templateName(service: string, files: string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const file of files) {
    hash.update(`${file}\0`).update(await readFile(join(servicesDir, service, 'migrations', file)));
  }
  return `bv_template_${service}_${hash.digest('hex').slice(0, 12)}`;
}

async function buildTemplate(service: string, files: string[]): Promise<string> {
  const database = await templateName(service, files);
  const urls = postgresUrls(service);
  const [adminUrl = ''] = urls;
  for (const url of urls) {
    await provision({ adminUrl: url, database, services: [{ name: service, password: testPassword }] });
  }
  if (urls.length > 1) await joinCluster(urls, database);
  await migrate({
    connectionString: serviceUrl(databaseUrl(adminUrl, database), service),
    dir: join(servicesDir, service, 'migrations'),
    settings: { 'results.partitions': String(urls.length > 1 ? 1 : testPartitions) },
  });
  if (urls.length > 1) await distributeResults(urls, database);
  return database;
}

/** Creates one migrated database per service that has migrations. Test files clone it. */
export async function buildTemplates(runDir: string): Promise<void> {
  const templates: Templates = {};
  await Promise.all(
    (await readdir(servicesDir)).map(async (service) => {
      const files = await migrationFiles(service);
      if (files.length === 0) return;
      try {
        templates[service] = { database: await buildTemplate(service, files) };
      } catch (error) {
        templates[service] = { error: error instanceof Error ? error.message : String(error) };
      }
    }),
  );
  await writeFile(templatesFile(runDir), JSON.stringify(templates));
}

export async function findTemplate(runDir: string, service: string): Promise<string | undefined> {
  const templates = JSON.parse(await readFile(templatesFile(runDir), 'utf8')) as Templates;
  const template = templates[service];
  if (template !== undefined && 'error' in template) {
    throw new Error(`the migrations of ${service} failed: ${template.error}`);
  }
  return template?.database;
}
