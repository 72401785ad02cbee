import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

type Alert = {
  alert: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string; runbook_url: string };
};

const page = 'docs/operations/monitoring.md';
const begin = '<!-- alerts: generated from the chart by pnpm generate -->';
const end = '<!-- end of alerts -->';

/** `{{ $labels.service }}` becomes `<service>`, `{{ $value | humanizeDuration }}` becomes `<value>`. */
function readable(summary: string): string {
  return summary
    .replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, '`<$1>`')
    .replaceAll(/\{\{ \$value[^}]*\}\}/g, '`<value>`');
}

const head = ['Alert', 'Severity', 'Fires when', 'For'];

function cells({ alert, for: pending = '0m', labels, annotations }: Alert): string[] {
  const section = annotations.runbook_url.slice(annotations.runbook_url.indexOf('#'));
  return [`[${alert}](runbooks.md${section})`, labels.severity, readable(annotations.summary), pending];
}

/** Columns are padded as the formatter pads them. */
function table(alerts: readonly Alert[]): string {
  const rows = [head, ...alerts.map(cells)];
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[], fill: string): string =>
    `| ${widths.map((width, column) => (row[column] ?? '').padEnd(width, fill)).join(' | ')} |`;
  return [line(head, ' '), line([], '-'), ...rows.slice(1).map((row) => line(row, ' '))].join('\n');
}

/** The monitoring page with the table of the chart's alerts, as path and content. */
export function monitoringPage(root: string): [path: string, content: string] {
  const text = readFileSync(join(root, page), 'utf8');
  const file = join(root, 'deploy/helm/brand-visibility/files/alerts.yaml');
  const { groups } = parse(readFileSync(file, 'utf8')) as { groups: { rules: Alert[] }[] };
  const rules = groups.flatMap((group) => group.rules);
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`${page} lacks the marks of the table`);
  return [page, `${before}${begin}\n\n${table(rules)}\n\n${end}${after}`];
}
