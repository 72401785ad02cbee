import { type CompareScoresInput, describeComparison, type ListScoresInput } from '@bv/sdk';
import { type Command, Option } from 'commander';
import { parseDay } from './arguments.ts';
import { connect, findOrg } from './connect.ts';
import { drawIntervals } from './interval-chart.ts';

// Commands that show figures. With `--json` they print what the API returns.

type Print = (line: string) => void;
type At = { brand: string; org?: string; json?: true };

const toJson = (value: unknown): string => JSON.stringify(value, null, 2);

function addCommand(program: Command, name: string, description: string): Command {
  return program
    .command(name)
    .description(description)
    .option('--org <id>', 'organisation; needed if the key has several')
    .option('--json', 'print what the API returns');
}

/** Columns as wide as their longest cell. */
function toTable(rows: readonly string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

const figure = (value: number | null): string => (value === null ? '-' : value.toFixed(1));

export function addBrands(program: Command, print: Print): void {
  addCommand(program, 'brands', 'list own brands with their ids and latest figures').action(
    async ({ org, json }: Omit<At, 'brand'>) => {
      const client = connect();
      const orgs = org === undefined ? await client.listOrgs().all() : [await client.getOrg({ orgId: org })];
      const found = [];
      for (const { id: orgId, name } of orgs) {
        const brands = await client.listBrandSummaries({ orgId }).all();
        found.push(...brands.map((brand) => ({ org_id: orgId, org_name: name, ...brand })));
      }
      if (json) return print(toJson(found));
      const rows = found.map((row) => [
        row.id,
        row.name,
        row.domain,
        figure(row.score),
        row.change_verdict ?? '-',
        `${row.org_name} ${row.org_id}`,
      ]);
      return toTable([['BRAND', 'NAME', 'DOMAIN', 'SCORE', 'WEEK', 'ORGANISATION'], ...rows]).forEach(print);
    },
  );
}

type ScoresOptions = At & Pick<ListScoresInput, 'country' | 'from' | 'to' | 'window'>;

export function addScores(program: Command, print: Print): void {
  addCommand(program, 'scores', 'draw the mention rate of a brand with its interval')
    .requiredOption('--brand <id>', 'own brand')
    .option('--from <day>', 'first day (UTC), included', parseDay)
    .option('--to <day>', 'last day (UTC), included', parseDay)
    .option('--country <code>', 'only answers of this market')
    .addOption(
      new Option('--window <days>', 'days that a row pools').choices(['day', '7d', '28d']).default('7d'),
    )
    .action(async ({ brand, org, json, ...query }: ScoresOptions) => {
      const client = connect();
      const at = { orgId: await findOrg(client, org), brandId: brand };
      const rows = await client.listScores({ ...at, ...query, limit: 200 }).all();
      if (json) return print(toJson(rows));
      const intervals = rows.toReversed().flatMap((row) => {
        const { run_date: day, mention_rate: value, mention_rate_low: low, mention_rate_high: high } = row;
        return value === null || low === null || high === null ? [] : [{ day, value, low, high }];
      });
      if (intervals.length < 2) return print('too few days with answers for a chart: try --from or --json');
      print(`Mention rate with its 95 % interval, window ${query.window}`);
      return print(drawIntervals(intervals, process.stdout.columns ?? 80));
    });
}

type CompareOptions = At &
  Pick<CompareScoresInput, 'country' | 'metric' | 'platform'> &
  Partial<Record<'fromA' | 'fromB' | 'toA' | 'toB', string>>;

export function addCompare(program: Command, print: Print): void {
  addCommand(program, 'compare', 'say whether a figure of a brand changed (default: last 7 days, 7 before)')
    .requiredOption('--brand <id>', 'own brand')
    .option('--metric <name>', 'score (default), mention_rate, sentiment, citation_rate or share_of_voice')
    .option('--platform <name>', 'only answers of this AI platform')
    .option('--country <code>', 'only answers of this market')
    .option('--from-a <day>', 'first day of the earlier window', parseDay)
    .option('--to-a <day>', 'last day of the earlier window', parseDay)
    .option('--from-b <day>', 'first day of the later window', parseDay)
    .option('--to-b <day>', 'last day of the later window', parseDay)
    .action(async ({ brand, org, json, fromA, toA, fromB, toB, ...query }: CompareOptions) => {
      const client = connect();
      const at = { orgId: await findOrg(client, org), brandId: brand };
      const windows = { from_a: fromA, to_a: toA, from_b: fromB, to_b: toB };
      const comparison = await client.compareScores({ ...at, ...query, ...windows });
      print(json ? toJson(comparison) : describeComparison(comparison));
    });
}
