import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { checkIdleMachine, toStacks, watchMachine } from '@bv/measure';
import { hotPaths, type HotPath } from './hot-paths.ts';
import { profileCpu } from './inspector.ts';
import { profileReport, type PathProfile } from './profile-report.ts';
import type { RunData } from './record.ts';
import { seed } from './seed.ts';
import { startProfiled, stopOnSignals, type ProfiledTarget } from './target.ts';

/**
 * Profiles the hot paths: calls each repeatedly while its service is sampled. Prints the CPU by
 * kind of work, and writes .data/profiles/<path>.cpuprofile, which speedscope draws as a flame graph. Fails when a call fails or other programs used the machine.
 */
const { values: options } = parseArgs({
  options: {
    /** Print figures even if other programs use the machine. */
    force: { type: 'boolean', default: false },
  },
});
const folder = fileURLToPath(new URL('../../.data/profiles/', import.meta.url));
const report = (text: string): boolean => process.stderr.write(`${text}\n`);
const seconds = 8;

/** Calls the path repeatedly. `next` numbers the calls, so that no write repeats another. Returns the number of calls. */
async function load(data: RunData, path: HotPath, next: () => number): Promise<number> {
  const end = performance.now() + seconds * 1_000;
  let calls = 0;
  const worker = async (): Promise<void> => {
    while (performance.now() < end) {
      const { method, path: target, body } = path.call(next());
      const response = await fetch(`${data.baseUrls.at(-1)}${target}`, {
        method,
        headers: {
          authorization: `Bearer ${data.keys[0]?.key}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${path.title}: returned ${response.status} ${text}`);
      calls += 1;
    }
  };
  await Promise.all(Array.from({ length: path.concurrency }, worker));
  return calls;
}

async function profilePath(target: ProfiledTarget, data: RunData, path: HotPath): Promise<PathProfile> {
  let number = 0;
  const next = (): number => (number += 1);
  // The first run warms up the compiler, the second is profiled.
  await load(data, path, next);
  let calls = 0;
  const { profile, cpuUs } = await profileCpu(target.inspectors[path.service], async () => {
    calls = await load(data, path, next);
  });
  writeFileSync(join(folder, `${path.name}.cpuprofile`), JSON.stringify(profile));
  report(`${path.title}: profiled`);
  return { path, stacks: toStacks(profile), cpuUsPerCall: cpuUs / calls };
}

async function profileAll(target: ProfiledTarget): Promise<void> {
  const plan = { orgs: 1, brands: 8, prompts: 50, days: 5, keys: 'one' } as const;
  mkdirSync(folder, { recursive: true });
  report('creating the data of the run ...');
  const data = await seed(target, { seconds, size: 1, keys: 1 }, plan);
  const machine = watchMachine();
  const profiles: PathProfile[] = [];
  for (const path of hotPaths(data)) profiles.push(await profilePath(target, data, path));
  const use = machine();
  checkIdleMachine(use, options.force);
  process.stdout.write(`${profileReport(profiles, use)}\n`);
}

const target = await startProfiled(report);
stopOnSignals(target);
try {
  await profileAll(target);
} finally {
  await target.stop();
}
process.exit();
