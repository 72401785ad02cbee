import { Command, CommanderError, Option } from 'commander';
import { sdkVersion } from '@bv/sdk';
import { parseMinutes, parseReceiver, parseSeconds, parseTime } from './arguments.ts';
import { readSettings } from './config.ts';
import { connect, findOrg } from './connect.ts';
import { addExport } from './export-command.ts';
import { describeError, exitCode } from './failure.ts';
import { showKey } from './key.ts';
import { checkSecret, createSecret, runListen, warnOfStatus } from './listen.ts';
import { addBrands, addCompare, addScores } from './look.ts';
import { runMcp } from './mcp.ts';
import { runScan } from './scan.ts';

const print = (line: string): void => void process.stdout.write(`${line}\n`);

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
  await warnOfStatus(client, endpoint, warn);
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
      '\nExample:\n  brand-visibility listen --endpoint $ENDPOINT --forward http://localhost:3000/webhooks',
    )
    .action(listen);
}

function createProgram(): Command {
  const program = new Command('brand-visibility')
    .description('Command line of the Brand Visibility Data API')
    .version(sdkVersion)
    .exitOverride()
    .addHelpText('after', '\nSettings: BV_BASE_URL (https://api.example.com/v1) and BV_API_KEY.')
    .showHelpAfterError('(--help lists the options)');
  addBrands(program, print);
  addScores(program, print);
  addCompare(program, print);
  addExport(program);
  addScan(program);
  addListen(program);
  program
    .command('key')
    .description('show the scopes, limits and use of the key')
    .option('--json', 'print what the API returns')
    .action(({ json }: { json?: true }) => showKey(connect(), print, json));
  program
    .command('mcp')
    .description('connect a client of the Model Context Protocol by standard input and output')
    .action(() => runMcp(readSettings(), process.stdin, process.stdout));
  return program;
}

/** Runs a command line and returns its exit code: 0, 1 for a failure, 2 for wrong arguments. */
export async function run(args: string[]): Promise<number> {
  try {
    await createProgram().parseAsync(args.length === 0 ? ['--help'] : args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.code === 'cli.dataset') process.stderr.write(`${error.message}\n`);
      return error.exitCode === 0 ? 0 : 2;
    }
    process.stderr.write(`error: ${describeError(error)}\n`);
    return exitCode(error);
  }
}
