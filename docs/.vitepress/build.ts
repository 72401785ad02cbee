/**
 * Builds the site into docs/dist, if a source is newer: `public` for partners, and `operator`, which has the pages of
 * operators too. Writes the pages of the reference first.
 */
import { globSync, mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { build } from 'vitepress';
import { llmsText } from './llms-text.ts';
import { referencePages } from './reference/pages.ts';

const docs = join(import.meta.dirname, '..');
const built = join(docs, 'dist/public/llms.txt');
const lock = join(docs, 'dist/.lock');
/** A build takes seconds, and minutes on a busy machine. */
const maxLockMs = 600_000;

/** Whether the site is newer than everything it is made of. */
function isCurrent(): boolean {
  const time = statSync(built, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = [
    '*.md',
    '{openapi,package}.json',
    '{adr,assets,guides,operations}/**',
    '.vitepress/{*,reference/*,theme/*}.*',
    '../CHANGELOG.md',
  ];
  // The build writes the reference itself.
  const written = 'reference.md';
  return globSync(sources, { cwd: docs }).every(
    (path) => path === written || statSync(join(docs, path)).mtimeMs < time,
  );
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

/** Two builds at once, such as those of two tests, would remove each other's files. */
async function waitForLock(): Promise<void> {
  mkdirSync(join(docs, 'dist'), { recursive: true });
  for (;;) {
    try {
      return mkdirSync(lock);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const lockedMs = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Infinity);
    if (lockedMs > maxLockMs) rmSync(lock, { recursive: true, force: true });
    await setTimeout(200);
  }
}

await waitForLock();
try {
  if (!isCurrent()) await buildSite();
} finally {
  rmSync(lock, { recursive: true, force: true });
}
