import { type Command, CommanderError, Option } from 'commander';
import { parseDay } from './arguments.ts';
import { connect, findOrg } from './connect.ts';
import { type DatasetName, datasets, type FilterName, type Filters, getDataset } from './datasets.ts';
import { adviseResume, runExport } from './export.ts';
import { UsageError } from './failure.ts';
import { type FormatName, formatNames, formatOf } from './formats.ts';
import { createProgress } from './progress.ts';

type ExportOptions = Omit<Filters, 'prompt_kind'> & {
  promptKind?: Filters['prompt_kind'];
  brand: string;
  org?: string;
  from?: string;
  to: string;
  format?: FormatName;
  out: string;
  resume?: true;
  force?: true;
};

const dayMs = 86_400_000;
const toDay = (time: number): string => new Date(time).toISOString().slice(0, 10);

const datasetNames = Object.keys(datasets);
const filterNames = Object.values(datasets).flatMap((each): readonly FilterName[] => each.filters);

/** The filters that were passed. Throws for one that would not change the file. */
function readFilters(dataset: DatasetName, { promptKind, ...options }: ExportOptions): Filters {
  const passed = { ...options, prompt_kind: promptKind };
  const { filters } = getDataset(dataset);
  for (const name of filterNames) {
    if (passed[name] === undefined || filters.includes(name)) continue;
    throw new UsageError(`--${name.replace('_', '-')} has no effect on ${dataset}`);
  }
  return Object.fromEntries(filters.map((name) => [name, passed[name]]));
}

function checkOutput({ out, resume, force }: ExportOptions, format: FormatName): void {
  if (out === '-' && (resume || force)) throw new UsageError('--resume and --force need a file');
  if (format === 'parquet' && resume)
    throw new UsageError('a parquet file cannot be continued: pass --force');
}

async function exportDataset(dataset: DatasetName, options: ExportOptions): Promise<void> {
  const { brand, out, to, from = toDay(Date.parse(to) - 30 * dayMs), format = formatOf(out) } = options;
  const filters = readFilters(dataset, options);
  checkOutput(options, format);
  const client = connect();
  const orgId = await findOrg(client, options.org);
  const mode = options.resume ? 'resume' : options.force ? 'force' : 'new';
  const selection = { orgId, brandId: brand, from, to, ...filters };
  const progress = createProgress();
  let written = 0;
  process.once('SIGINT', () => {
    progress.stop();
    const canContinue = written > 0 && format !== 'parquet' && out !== '-';
    process.stderr.write(canContinue ? `\n${adviseResume(written, out)}\n` : '\n');
    process.exit(130);
  });
  try {
    const plan = { dataset, format, out, mode, selection } as const;
    const { rows, bytes } = await runExport(client, plan, (done) => {
      written = done.rows;
      progress.update(done);
    });
    progress.stop();
    const summary = `${rows} rows, ${bytes} bytes: ${out}\n`;
    (out === '-' ? process.stderr : process.stdout).write(summary);
  } finally {
    progress.stop();
  }
}

const choices = (flags: string, text: string, values: string[]): Option =>
  new Option(flags, text).choices(values);

export function addExport(program: Command): void {
  program
    .command('export')
    .description('write a dataset of a brand to a file')
    .argument('<dataset>', datasetNames.join(' | '))
    .requiredOption('--brand <id>', 'own brand')
    .option('--org <id>', 'organisation; needed if the key has several')
    .option('--from <day>', 'first day (UTC), included (default: 30 days before --to)', parseDay)
    .option('--to <day>', 'last day (UTC), included', parseDay, toDay(Date.now()))
    .option('--platform <name>', 'only answers of this AI platform')
    .option('--country <code>', 'only answers of this market')
    .addOption(choices('--window <days>', 'scores: days that a row pools', ['day', '7d', '28d']))
    .option('--by <what>', 'breakdown: prompt (default), tag, platform, country, model or prompt_kind')
    .option('--series <days>', 'breakdown: none, day or week')
    .option('--tag <tag>', 'breakdown: only prompts with this tag')
    .option('--prompt-kind <kind>', 'breakdown: branded, competitor or unbranded')
    .option('--domain <domain>', 'pages: only pages of this domain')
    .option('--gap', 'pages, sources: only where answers name a competitor and not the brand')
    .addOption(choices('--format <name>', 'format (default: by the end of --out)', [...formatNames]))
    .requiredOption('--out <file>', 'file to write; - for standard output')
    .addOption(new Option('--resume', 'continue a csv or ndjson file after its last page').conflicts('force'))
    .option('--force', 'replace an existing file')
    .addHelpText(
      'after',
      '\nExample:\n  brand-visibility export mentions --brand $BRAND --from 2026-11-01 --out mentions.parquet',
    )
    .action((dataset: string, options: ExportOptions) => {
      if (!Object.hasOwn(datasets, dataset)) {
        const message = `error: no dataset ${dataset}: ${datasetNames.join(', ')}`;
        throw new CommanderError(2, 'cli.dataset', message);
      }
      return exportDataset(dataset as DatasetName, options);
    });
}
