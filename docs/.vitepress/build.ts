/**
 * Builds the site into docs/dist, if a source is newer: `public` for partners, and `operator`, which has the pages of
 * operators too. Writes the pages of the reference first.
 */
import { globSync, mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vitepress';
import { llmsText } from './llms-text.ts';
import { referencePages } from './reference/pages.ts';

const docs = join(import.meta.dirname, '..');
const built = join(docs, 'dist/public/llms.txt');

/** Whether the site is newer than everything it is made of. */
function isCurrent(): boolean {
  const time = statSync(built, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = [
    '*.{md,json}',
    '{adr,assets,guides,operations}/**',
    '.vitepress/{*,reference/*,theme/*}.*',
    '../CHANGELOG.md',
  ];
  return globSync(sources, { cwd: docs }).every((path) => statSync(join(docs, path)).mtimeMs < time);
}

async function buildSite(): Promise<void> {
  const started = new Date();
  rmSync(join(docs, 'reference'), { recursive: true, force: true });
  mkdirSync(join(docs, 'reference'));
  for (const [path, markdown] of referencePages()) writeFileSync(join(docs, path), markdown);
  for (const site of ['operator', 'public']) {
    process.env['SITE'] = site;
    await build(docs);
  }
  writeFileSync(built, llmsText());
  // A source that changes during the build is newer than the site.
  utimesSync(built, started, started);
}

if (!isCurrent()) await buildSite();
