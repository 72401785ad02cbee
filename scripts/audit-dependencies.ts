/**
 * Runs `pnpm audit` for production dependencies and fails on a high or critical vulnerability. A registry without
 * advisories, such as a mirror, is reported and does not fail the run, except with `--strict`. `--registry <url>` uses
 * another registry.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { registry: { type: 'string' }, strict: { type: 'boolean' } } });
const root = join(import.meta.dirname, '..');
const own = join(root, '.tools/node_modules/.bin/pnpm');

type Advisory = { severity: string; module_name: string; title: string; url: string };
type Report = {
  advisories: Record<string, Advisory>;
  metadata: { totalDependencies: number };
};

function audit(): { report?: Report; status: number | null; output: string } {
  const registry = values.registry === undefined ? [] : ['--registry', values.registry];
  const { status, stdout, stderr } = spawnSync(
    existsSync(own) ? own : 'pnpm',
    ['audit', '--prod', '--audit-level', 'high', '--json', ...registry],
    {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, PNPM_CONFIG_FETCH_RETRIES: '1', PNPM_CONFIG_FETCH_RETRY_MINTIMEOUT: '1000' },
      timeout: 60_000,
    },
  );
  try {
    return { report: JSON.parse(stdout) as Report, status, output: '' };
  } catch {
    return { status, output: `${stdout}${stderr}`.replaceAll(/[\s│×]+/g, ' ').trim() };
  }
}

const { report, status, output } = audit();
if (report === undefined) {
  console.log(`NOT AUDITED: the registry returned no advisories. ${output}`);
  process.exitCode = values.strict === true ? 1 : 0;
} else {
  const found = Object.values(report.advisories).filter(({ severity }) => /high|critical/.test(severity));
  for (const { severity, module_name: name, title, url } of found) {
    console.log(`${severity}: ${name}: ${title} ${url}`);
  }
  console.log(`${report.metadata.totalDependencies} dependencies, ${found.length} high or critical`);
  process.exitCode = status === 0 && found.length === 0 ? 0 : 1;
}
