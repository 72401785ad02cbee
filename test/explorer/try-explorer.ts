/**
 * Opens the explorer of the demo in Chromium.
 *   pnpm try:explorer              measures it with Lighthouse; fails below the objectives
 *   pnpm try:explorer --picture    writes the picture of README.md and the guides
 */
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { privateStackOptions, runDemo, startStack, steadyEnvironment } from '@bv/local-stack';
import { launchBrowser } from '../browser.ts';
import { installNpm } from '../runtimes/install-npm.ts';
import { runProgram } from '../mcp/run-program.ts';
import { buildExplorer } from './served-page.ts';

const runs = 5;
/** Of 100. Performance is that of the simulated phone of Lighthouse, the median of all runs. */
const objectives = { accessibility: 100, performance: 90 };
type Category = keyof typeof objectives;
type Report = { categories: Record<Category, { score: number }> };

const pictureFile = join(import.meta.dirname, '../../docs/assets/explorer.png');

async function measure(url: string, dir: string): Promise<void> {
  const lighthouse = join(installNpm(['lighthouse@13.5.0']), 'lighthouse');
  const scores: Record<Category, number[]> = { accessibility: [], performance: [] };
  for (let run = 0; run < runs; run += 1) {
    const file = join(dir, `lighthouse-${run}.json`);
    const flags = [
      '--quiet',
      '--output=json',
      `--output-path=${file}`,
      '--chrome-flags=--headless=new --no-sandbox',
    ];
    const categories = `--only-categories=${Object.keys(objectives).join(',')}`;
    const { status, output } = await runProgram(lighthouse, [url, categories, ...flags], {
      CHROME_PATH: '/usr/bin/chromium',
    });
    if (status !== 0) throw new Error(`lighthouse ended with ${status}:\n${output}`);
    const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
    for (const [category, { score }] of Object.entries(report.categories)) {
      scores[category as Category].push(Math.round(score * 100));
    }
  }
  for (const [category, objective] of Object.entries(objectives)) {
    const all = scores[category as Category].toSorted((a, b) => a - b);
    const median = all[Math.floor(runs / 2)] ?? 0;
    console.log(`${category}: median ${median} of ${all.join(', ')} (objective: ${objective})`);
    if (median < objective) process.exitCode = 1;
  }
}

async function takePicture(url: string): Promise<void> {
  const browser = await launchBrowser();
  if (browser === undefined) throw new Error('a picture needs Chromium');
  const page = await browser.newPage({ viewport: { width: 1200, height: 990 } });
  await page.goto(url);
  await page.locator('.verdict .headline').waitFor();
  await page.locator('#breakdown svg').waitFor();
  await page.screenshot({ path: pictureFile });
  await browser.close();
}

const { values: options } = parseArgs({
  // pnpm passes the `--` of `pnpm try:explorer -- --picture`.
  args: process.argv.slice(2).filter((word) => word !== '--'),
  options: { picture: { type: 'boolean', default: false } },
});
const dir = await mkdtemp(join(tmpdir(), 'bv-explorer-'));
// The user of PostgreSQL needs access to the data directory below it.
await chmod(dir, 0o755);
buildExplorer();
const stack = await startStack(privateStackOptions(join(dir, 'data'), steadyEnvironment), console.log);
try {
  const demo = await runDemo(stack, { report: console.log, signal: new AbortController().signal });
  await (options.picture ? takePicture(demo.explorerUrl) : measure(demo.explorerUrl, dir));
  await demo.close();
} finally {
  await stack.stop();
  await rm(dir, { recursive: true, force: true });
}
process.exit();
