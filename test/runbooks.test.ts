import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { commandSpecs } from '../clients/operator-cli/src/commands.ts';
import { listShellBlocks, operatorPages, root } from './drills/documented-commands.ts';

const page = (name: string): string => readFileSync(join(root, name), 'utf8');
const runbooks = page('docs/operations/runbooks.md');
const pages = ['README.md', 'clients/operator-cli/README.md', ...operatorPages];

const unique = (values: (string | undefined)[]): string[] =>
  [...new Set(values)].filter((value) => value !== undefined).toSorted();

type Alert = { alert: string; expr: string; for?: string; annotations: { runbook_url: string } };
const { groups } = parse(page('deploy/helm/brand-visibility/files/alerts.yaml')) as {
  groups: { rules: Alert[] }[];
};
const alerts = groups.flatMap(({ rules }) => rules);
/** The runbooks by the name of their alert. */
const sections = new Map(
  runbooks.split(/^### /m).flatMap((section) => {
    const [heading = '', ...lines] = section.split('\n');
    return heading.startsWith('Brand') ? [[heading, lines.join('\n')] as const] : [];
  }),
);

describe('runbooks', () => {
  test('there is one for every alert, and none for another', () => {
    expect([...sections.keys()].toSorted()).toEqual(alerts.map(({ alert }) => alert).toSorted());
  });

  test('every alert links to its own', () => {
    const expected = alerts.map(({ alert }) => `RUNBOOKS#${alert.toLowerCase()}`);
    expect(alerts.map(({ annotations }) => annotations.runbook_url)).toEqual(expected);
  });

  test.each(alerts.map(({ alert }) => alert))('%s has symptom, impact, cause and fix', (alert) => {
    const parts = [
      ...(sections.get(alert) ?? '').matchAll(/^- \*\*(Symptom|Impact|Cause|Fix|Cause and fix)\.?\*\*/gm),
    ];
    const text = parts.map(([, part]) => part).join(', ');
    expect(text.replace('Cause and fix', 'Cause, Fix')).toBe('Symptom, Impact, Cause, Fix');
  });
});

/** What a runbook may write for a threshold. */
function waysToWrite(threshold: number): string[] {
  const words = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
  const written = [
    threshold.toLocaleString('en'),
    `${Math.round(threshold * 100)} %`,
    words[threshold] ?? '',
  ];
  if (threshold === 0.5) written.push('half');
  if (threshold % 60 === 0) written.push(`${threshold / 60} minutes`, `${threshold} s`);
  return written.filter((text) => text !== '');
}

describe('the symptom states when the alert fires:', () => {
  test.each(alerts.map((alert) => [alert.alert, alert] as const))(
    '%s',
    (name, { expr, for: time = '0m' }) => {
      const symptom = /\*\*Symptom\.\*\* (.*)/.exec(sections.get(name) ?? '')?.[1] ?? '';
      const thresholds = [...expr.matchAll(/> ([\d.]+)/g)].map(([, threshold]) => Number(threshold));
      for (const threshold of thresholds.filter((each) => each !== 0)) {
        const ways = waysToWrite(threshold).map((way) => new RegExp(`\\b${way}(?!\\w)`));
        expect([symptom, ways.some((way) => way.test(symptom))]).toEqual([symptom, true]);
      }
      const minutes = Number(/for (\d+) minutes(?:$|[. ])/.exec(symptom)?.[1] ?? 0);
      if (minutes !== 0 && !thresholds.includes(minutes * 60)) expect(`${minutes}m`).toBe(time);
    },
  );
});

describe('operator pages', () => {
  test('name only commands of the operator that exist, with their options', () => {
    const specs = commandSpecs();
    const lines = pages.flatMap((name) => [
      ...page(name).matchAll(
        /(?:^ *|`|\$\(|until |pnpm |run\.mjs |-T )operator ([a-z-]+)((?: [^`\n|#)]+)?)/gm,
      ),
    ]);
    expect(lines.length).toBeGreaterThan(20);
    for (const [line, group = '', rest = ''] of lines) {
      const known = specs.filter((spec) => spec.group === group);
      const [verb = 'list'] = rest.trim().split(' ');
      const spec =
        known.find((each) => each.verb === verb) ?? known.find(() => verb === '' || verb.startsWith('--'));
      // No commands of the operator API: the last two run in scans.
      if (['--help', '--', 'completion', 'judge', 'platforms'].includes(group)) continue;
      expect([line, spec?.group]).toEqual([line, group]);
      const options = spec?.variants.flatMap(({ body, query, options: ids }) =>
        [...body, ...query, ...ids].map(({ option }) => option),
      );
      for (const [, option] of rest.matchAll(/ --([a-z-]+)/g)) {
        expect([...(options ?? []), 'json', 'limit', 'url', 'token', 'help', 'yes']).toContain(option);
      }
    }
  });
});

describe('shell blocks', () => {
  const blocks = operatorPages.flatMap(listShellBlocks);

  test.each(blocks.map((block) => [`${block.page}:${block.line}`, block.commands]))(
    '%s parses',
    (_, commands) => {
      // A placeholder such as <org> would be a redirection.
      const text = commands.replaceAll(/<[a-z-]+>/g, 'placeholder');
      const { status, stderr } = spawnSync('bash', ['-n', '-c', text], { encoding: 'utf8' });
      expect([status, stderr]).toEqual([0, '']);
    },
  );

  test('a drill or a check runs each, or its word is a reason why none does', () => {
    const run = ['backup', 'failover', 'failover-pgbouncer', 'helm', 'pitr-archive', 'pitr-base'].concat([
      'pitr-restore',
      'restore',
      'run',
      'standby-copy',
      'standby-lost',
      'standby-role',
      'standby-synchronous',
    ]);
    const notRun = ['cluster', 'docker', 'failed-event', 'registry', 'release', 'stores'];
    expect(unique(blocks.map(({ name }) => name))).toEqual([...run, ...notRun].toSorted());
    const table = page('docs/operations.md');
    expect(notRun.filter((name) => !table.includes(`| \`${name}\``))).toEqual([]);
  });
});
