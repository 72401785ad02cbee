import { readFileSync, writeFileSync } from 'node:fs';
import type { Summary } from './checkers/outage.ts';
import { downSeconds, measured, type Measured } from './scenarios/outages.ts';

const file = new URL('../../docs/operations/outages.md', import.meta.url);
const begin = '<!-- measured outages: made by pnpm test:faults outage --down 60 --document -->';
const end = '<!-- end of measured outages -->';

const share = ({ served, refused }: Summary): number => {
  const all = served + [...refused.values()].reduce((sum, count) => sum + count, 0);
  return served / all;
};

/** Cells of one fault: what keeps working, what is refused with which codes, and the slowest response. */
function cells(summaries: readonly Summary[]): [string, string, string] {
  const works = summaries.filter((one) => share(one) > 0.9).map(({ name }) => name);
  const refused = new Map<string, string[]>();
  for (const one of summaries.filter((summary) => share(summary) <= 0.9)) {
    const codes = [...one.refused.keys()].toSorted().join('`, `');
    refused.set(codes, [...(refused.get(codes) ?? []), one.name]);
  }
  const slowest = Math.max(...summaries.map(({ slowestMs }) => slowestMs));
  const refusals = [...refused].map(([codes, names]) => `\`${codes}\`: ${nameAll(names, summaries)}`);
  return [nameAll(works, summaries), refusals.join('; ') || '-', `${(slowest / 1_000).toFixed(1)} s`];
}

function nameAll(names: readonly string[], summaries: readonly Summary[]): string {
  if (names.length === summaries.length) return 'everything';
  if (names.length > summaries.length / 2) return 'everything else';
  return names.join(', ') || 'nothing behind a key';
}

function renderTable(rows: readonly Measured[]): string {
  const lines = rows.map(({ store, fault, summaries, recoveryMs }) => {
    const [works, refused, slowest] = cells(summaries);
    const recovery = recoveryMs < 100 ? 'at once' : `${(recoveryMs / 1_000).toFixed(1)} s`;
    return `| ${store} ${fault} | ${works} | ${refused} | ${slowest} | ${recovery} |`;
  });
  return [
    '| Fault | Keeps working | Refused, with Retry-After | Slowest response | Recovered after |',
    '| --- | --- | --- | --- | --- |',
    ...lines,
  ].join('\n');
}

/** Replaces the table between its two marks in docs/operations/outages.md. */
export function documentOutages(): void {
  const text = readFileSync(file, 'utf8');
  const [before, after] = [text.indexOf(begin), text.indexOf(end)];
  if (before < 0 || after < 0) throw new Error('docs/operations/outages.md lacks the marks of the table');
  const table = `${begin}\n\nEach store was unavailable for ${downSeconds()} s under traffic of every kind.\n\n${renderTable(measured)}\n\n`;
  writeFileSync(file, text.slice(0, before) + table + text.slice(after));
}
