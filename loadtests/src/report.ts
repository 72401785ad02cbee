import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quantile } from '@bv/measure';
import type { Objective } from './check-run.ts';
import type { ResponseRecord } from './record.ts';
import type { Violations } from './violations.ts';

export type Outcome = {
  title: string;
  setting: string;
  facts: string[];
  violations: ReturnType<Violations['list']>;
  records: readonly ResponseRecord[];
  objectives: readonly Objective[];
  /** CPU milliseconds of the run, by process. */
  cpuMs: ReadonlyMap<string, number>;
  /** Whether the report contains figures. */
  figures: boolean;
};

/** Writes `summary.md`. The summary of a failed run has violations instead of figures. */
export function writeReport(dir: string, outcome: Outcome): string {
  const { title, setting, facts, violations, records } = outcome;
  const failed = violations.length > 0;
  const lines = [`# ${title}`, '', setting, '', failed ? '**Failed.**' : '**Passed.**', ''];
  for (const { rule, count, examples } of violations) {
    lines.push(`- Broken ${count} times: ${rule}`, ...examples.map((example) => `  - ${example}`));
  }
  if (!failed) {
    lines.push(...facts.map((fact) => `- ${fact}`), '');
    if (outcome.figures) {
      lines.push(...objectivesTable(outcome.objectives), ...latencyTable(records), '');
      lines.push(...cpuTable(outcome));
    }
  }
  const text = `${lines.join('\n').trimEnd()}\n`;
  writeFileSync(join(dir, 'summary.md'), text);
  return text;
}

function latencyTable(records: readonly ResponseRecord[]): string[] {
  const rows = [...Map.groupBy(records, ({ phase }) => phase)].map(([phase, group]) => {
    const durations = group.map(({ durationMs }) => durationMs);
    const cells = [0.5, 0.95, 0.99, 1].map((share) => quantile(durations, share).toFixed(1));
    return `| ${phase} | ${group.length} | ${cells.join(' | ')} |`;
  });
  const head = '| | requests | p50 ms | p95 ms | p99 ms | max ms |';
  return [head, '|---|---|---|---|---|---|', ...rows];
}

function objectivesTable(objectives: readonly Objective[]): string[] {
  if (objectives.length === 0) return [];
  const rows = objectives.map(
    ({ metric, target, value }) => `| ${metric} | ${target} | ${value?.toFixed(1)} |`,
  );
  return ['| objective, ms | target | measured |', '|---|---|---|', ...rows, ''];
}

/** CPU per response of each process and store, refusals included. */
function cpuTable({ records, cpuMs }: Outcome): string[] {
  if (cpuMs.size === 0) return [];
  const cells = [...cpuMs.values()].map((ms) => (ms / records.length).toFixed(2));
  return [
    `| CPU, ms per request | ${[...cpuMs.keys()].join(' | ')} |`,
    `|---|${'---|'.repeat(cpuMs.size)}`,
    `| | ${cells.join(' | ')} |`,
  ];
}
