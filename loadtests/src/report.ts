import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lineChart, quantile, type Line } from '@bv/measure';
import type { Objective } from './check-run.ts';
import type { AnswerRecord } from './record.ts';
import type { Violations } from './violations.ts';
import type { MemorySample } from './watch-run.ts';

export type Outcome = {
  title: string;
  setting: string;
  facts: string[];
  violations: ReturnType<Violations['list']>;
  records: readonly AnswerRecord[];
  objectives: readonly Objective[];
  /** Of the watched processes, in the order of the samples. */
  names: readonly string[];
  memory: readonly MemorySample[];
  /** Milliseconds the run took of each. */
  cpuMs: ReadonlyMap<string, number>;
  /** Whether figures may be told at all. */
  figures: boolean;
};

/** `summary.md` and its plots; a run that failed has its violations there instead of figures. */
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
      lines.push(...cpuTable(outcome), '', ...plots(dir, outcome));
    }
  }
  const text = `${lines.join('\n').trimEnd()}\n`;
  writeFileSync(join(dir, 'summary.md'), text);
  return text;
}

function latencyTable(records: readonly AnswerRecord[]): string[] {
  const rows = [...Map.groupBy(records, ({ phase }) => phase)].map(([phase, its]) => {
    const durations = its.map(({ durationMs }) => durationMs);
    const cells = [0.5, 0.95, 0.99, 1].map((share) => quantile(durations, share).toFixed(1));
    return `| ${phase} | ${its.length} | ${cells.join(' | ')} |`;
  });
  const head = '| | requests | p50 ms | p95 ms | p99 ms | longest ms |';
  return [head, '|---|---|---|---|---|---|', ...rows];
}

function objectivesTable(objectives: readonly Objective[]): string[] {
  if (objectives.length === 0) return [];
  const rows = objectives.map(
    ({ metric, asked, value }) => `| ${metric} | ${asked} | ${value?.toFixed(1)} |`,
  );
  return ['| objective, ms | asked | measured |', '|---|---|---|', ...rows, ''];
}

/** Of all answers, refusals too: what a request took of each process and of each store. */
function cpuTable({ records, cpuMs }: Outcome): string[] {
  if (cpuMs.size === 0) return [];
  const cells = [...cpuMs.values()].map((ms) => (ms / records.length).toFixed(2));
  return [
    `| CPU, ms a request | ${[...cpuMs.keys()].join(' | ')} |`,
    `|---|${'---|'.repeat(cpuMs.size)}`,
    `| | ${cells.join(' | ')} |`,
  ];
}

function plots(dir: string, { records, memory, names }: Outcome): string[] {
  const start = Math.min(...records.slice(0, 1_000).map(({ startMs }) => startMs));
  const second = ({ startMs }: AnswerRecord): number => Math.max(0, Math.floor((startMs - start) / 1_000));
  const bySecond = [...Map.groupBy(records, second)].toSorted(([one], [other]) => one - other);
  const line = (name: string, of: (its: AnswerRecord[]) => number): Line => ({
    name,
    points: bySecond.map(([x, its]) => ({ x, y: of(its) })),
  });
  const latency = (share: number) => (its: AnswerRecord[]) =>
    quantile(
      its.map(({ durationMs }) => durationMs),
      share,
    );
  const charts: [string, string][] = [
    [
      'latency',
      lineChart({ title: 'Latency', xLabel: 'seconds', yLabel: 'ms' }, [
        line('p50', latency(0.5)),
        line('p99', latency(0.99)),
      ]),
    ],
    [
      'answers',
      lineChart({ title: 'Answers a second', xLabel: 'seconds', yLabel: 'answers' }, [
        line('success', (its) => its.filter(({ status }) => status < 300).length),
        line('refused', (its) => its.filter(({ status }) => status >= 300).length),
      ]),
    ],
  ];
  if (names.length > 0 && memory.length > 0) {
    const lines = names.map((name, index) => ({
      name,
      points: memory.map((sample) => ({ x: sample.second, y: sample.megabytes[index] ?? 0 })),
    }));
    charts.push([
      'memory',
      lineChart({ title: 'Memory without the young generation', xLabel: 'seconds', yLabel: 'MB' }, lines),
    ]);
  }
  return charts.map(([name, svg]) => {
    writeFileSync(join(dir, `${name}.svg`), svg);
    return `![${name}](${name}.svg)`;
  });
}
