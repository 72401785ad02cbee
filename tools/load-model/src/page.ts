import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readFigures } from './figures.ts';
import { limits, listBacklogs, listRows, type Backlog, type Row } from './rows.ts';

const page = 'docs/capacity-planning.md';
const begin = '<!-- ten times: simulated by tools/load-model, written by pnpm generate -->';
const end = '<!-- end of ten times -->';
const factor = 10;
const rowHead = [
  'Resource',
  'Size',
  'In use',
  'Queue p50',
  'p99',
  'Wait p99',
  'Organisations at the limit',
  'Change',
];
const backlogHead = ['Down at the peak', 'Waiting afterwards', 'Caught up after'];

const whole = (value: number): string => Math.round(value).toLocaleString('en');
const toThousands = (value: number): string => whole(Math.floor(value / 1_000) * 1_000);

function seconds(value: number): string {
  if (value === 0) return '0';
  return value < 1 ? `${(value * 1_000).toFixed(1)} ms` : `${value.toFixed(1)} s`;
}

function cells({ resource, size, utilisation, observed, limitAt, change }: Row): string[] {
  const queue = (): string[] => {
    if (observed === undefined) return ['', '', ''];
    // A full resource has no steady state: its queue grows as long as the load lasts.
    if (utilisation >= 1 && !resource.includes('connections')) return ['grows', 'grows', 'grows'];
    return [whole(observed.queue.p50), whole(observed.queue.p99), seconds(observed.wait.p99)];
  };
  const limit = limitAt === undefined ? 'none' : toThousands(limitAt);
  return [resource, size, `${(utilisation * 100).toFixed(0)} %`, ...queue(), limit, change];
}

function backlogCells({ outage, waiting, unit, drainedAfterSeconds }: Backlog): string[] {
  return [outage, `${toThousands(waiting)} ${unit}`, `${(drainedAfterSeconds / 60).toFixed(1)} minutes`];
}

/** Columns are padded as the formatter pads them. */
function table(head: readonly string[], rows: readonly string[][]): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[], fill: string): string =>
    `| ${widths.map((width, column) => (row[column] ?? '').padEnd(width, fill)).join(' | ')} |`;
  return [line(head, ' '), line([], '-'), ...rows.map((row) => line(row, ' '))].join('\n');
}

/** The page with the simulation of ten times its largest size, as path and content. */
export function capacityPage(root: string): [path: string, content: string] {
  const text = readFileSync(join(root, page), 'utf8');
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined)
    throw new Error(`${page} lacks the marks of the simulation`);
  const figures = readFigures(text);
  const organisations = figures.organisations * factor;
  const rows = table(rowHead, listRows(figures, organisations).map(cells));
  const backlogs = table(backlogHead, listBacklogs(figures, organisations).map(backlogCells));
  const intro = [
    `${whole(organisations)} organisations, sized by the formulas and costs of this page. A simulation shows the queues at the peak, for units of the first 15 minutes.`,
    'Requests and scans arrive independently, a scan with all its units at once. Service times are exponential.',
    `One Postgres server is assumed to have at most ${limits.cores} cores, ${whole(limits.connections)} connections and ${limits.terabytes} TB.`,
    'The first row breaks first.',
  ].join(' ');
  return [
    page,
    `${before}${begin}\n\n${intro}\n\n${rows}\n\nAfter an outage at the peak, if the outbox relays keep up:\n\n${backlogs}\n\n${end}${after}`,
  ];
}
