import { Command, CommanderError, Option } from 'commander';
import { type PlatformId, sdkVersion } from '@bv/sdk';
import { parseDay, parseMinutes, parseReceiver, parseSeconds, parseTime } from './arguments.ts';
import { readSettings } from './config.ts';
import { connect, findOrg } from './connect.ts';
import { type DatasetName, datasets } from './datasets.ts';
import { runExport } from './export.ts';
import { describeError, exitCode } from './failure.ts';
import { type FormatName, formatNames } from './formats.ts';
import { showKey } from './key.ts';
import { checkSecret, createSecret, runListen } from './listen.ts';
import { runMcp } from './mcp.ts';
import { createProgress } from './progress.ts';
import { runScan } from './scan.ts';

type ExportOptions = {
  brand: string;
  org?: string;
  from?: string;
  to: string;
  platform?: PlatformId;
  country?: string;
  format: FormatName;
  out: string;
  resume?: true;
  force?: true;
};

const dayMs = 86_400_000;
const toDay = (time: number): string => new Date(time).toISOString().slice(0, 10);
const print = (line: string): void => void process.stdout.write(`${line}\n`);

async function exportDataset(dataset: DatasetName, options: ExportOptions): Promise<void> {
  const { brand, format, out, to, from = toDay(Date.parse(to) - 30 * dayMs), platform, country } = options;
  const client = connect();
  const orgId = await findOrg(client, options.org);
  const mode = options.resume ? 'resume' : options.force ? 'force' : 'new';
  const selection = { orgId, brandId: brand, from, to, platform, country };
  const progress = createProgress();
  try {
    const plan = { dataset, format, out, mode, selection } as const;
    const { rows, bytes } = await runExport(client, plan, progress.update);
    progress.stop();
    print(`${rows} rows, ${bytes} bytes: ${out}`);
  } finally {
    progress.stop();
  }
}

function addExport(program: Command): void {
  program
    .command('export')
    .description('write a dataset of a brand to a file')
    .argument('<dataset>', Object.keys(datasets).join(' | '))
    .requiredOption('--brand <id>', 'own brand')
    .option('--org <id>', 'organisation; needed if the key has several')
    .option('--from <day>', 'first day (UTC), included (default: 30 days before --to)', parseDay)
    .option('--to <day>', 'last day (UTC), included', parseDay, toDay(Date.now()))
    .option('--platform <name>', 'only answers of this AI platform')
    .option('--country <code>', 'only answers of this market')
    .addOption(new Option('--format <name>', 'format of the file').choices(formatNames).default('csv'))
    .requiredOption('--out <file>', 'file to write')
    .addOption(new Option('--resume', 'continue a csv or ndjson file after its last page').conflicts('force'))
    .option('--force', 'replace an existing file')
    .addHelpText(
      'after',
      '\nExample:\n  bv export mentions --brand $BRAND --from 2026-11-01 --to 2026-11-25 --out m.csv',
    )
    .action((dataset: string, options: ExportOptions) => {
      if (!(dataset in datasets)) {
        throw new CommanderError(
          2,
          'bv.dataset',
          `error: no dataset ${dataset}: ${Object.keys(datasets).join(', ')}`,
        );
      }
      return exportDataset(dataset as DatasetName, options);
    });
}

function addScan(program: Command): void {
  program
    .command('scan')
    .description('request a scan of a brand')
    .requiredOption('--brand <id>', 'own brand')
    .option('--org <id>', 'organisation; needed if the key has several')
    .option('--wait', 'wait until the scan has ended')
    .option('--timeout <minutes>', 'longest wait', parseMinutes, 30)
    .action(async (options: { brand: string; org?: string; wait?: true; timeout: number }) => {
      const client = connect();
      const at = { orgId: await findOrg(client, options.org), brandId: options.brand };
      await runScan(client, at, options.wait ? options.timeout * 60_000 : undefined, print);
    });
}

/** As long as the API waits. */
const receiverTimeoutMs = 15_000;

type ListenOptions = { endpoint: string; forward: URL; secret?: string; since?: number; interval: number };

async function listen({ endpoint, forward, secret, since, interval }: ListenOptions): Promise<void> {
  const client = connect();
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const plan = {
    endpointId: endpoint,
    forward,
    secret: secret ?? createSecret(),
    sinceMs: since,
    intervalMs: interval * 1000,
    timeoutMs: receiverTimeoutMs,
  };
  await checkSecret(plan.secret);
  // A secret of the user is not shown.
  if (secret === undefined) print(`secret ${plan.secret}`);
  const warn = (line: string): void => void process.stderr.write(`${line}\n`);
  await runListen(client, plan, { print, warn }, stop.signal);
}

function addListen(program: Command): void {
  program
    .command('listen')
    .description('forward the webhook deliveries of an endpoint to a receiver of this machine')
    .requiredOption('--endpoint <id>', 'webhook endpoint')
    .requiredOption('--forward <url>', 'address of the receiver', parseReceiver)
    .addOption(
      new Option('--secret <secret>', 'secret that signs what is forwarded (default: a new one)').env(
        'BV_WEBHOOK_SECRET',
      ),
    )
    .option(
      '--since <time>',
      'also forward deliveries created since then (default: only new ones)',
      parseTime,
    )
    .option('--interval <seconds>', 'seconds between two reads of the delivery log', parseSeconds, 3)
    .addHelpText(
      'after',
      '\nExample:\n  bv listen --endpoint $ENDPOINT --forward http://localhost:3000/webhooks',
    )
    .action(listen);
}

function createProgram(): Command {
  const program = new Command('bv')
    .description('Command line of the Brand Visibility Data API')
    .version(sdkVersion)
    .exitOverride()
    .addHelpText('after', '\nSettings: BV_BASE_URL (https://api.example.com/v1) and BV_API_KEY.')
    .showHelpAfterError('(--help lists the options)');
  addExport(program);
  addScan(program);
  addListen(program);
  program
    .command('key')
    .description('show the scopes, limits and use of the key')
    .action(() => showKey(connect(), print));
  program
    .command('mcp')
    .description('connect a client of the Model Context Protocol by standard input and output')
    .action(() => runMcp(readSettings(), process.stdin, process.stdout));
  return program;
}

/** Runs a command line and returns its exit code: 0, 1 for a failure, 2 for wrong arguments. */
export async function run(args: string[]): Promise<number> {
  try {
    await createProgram().parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.code === 'bv.dataset') process.stderr.write(`${error.message}\n`);
      return error.exitCode === 0 ? 0 : 2;
    }
    process.stderr.write(`error: ${describeError(error)}\n`);
    return exitCode(error);
  }
}
