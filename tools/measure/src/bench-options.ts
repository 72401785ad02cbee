import { parseArgs } from 'node:util';

/** An option takes a value, or with a boolean default it takes none. An empty default is not shown. */
type BenchOption = { default: string | boolean; description: string };
type BenchOptions = Readonly<Record<string, BenchOption>>;
type Values<Options extends BenchOptions> = {
  [Name in keyof Options]: Options[Name]['default'] extends boolean ? boolean : string;
};

/** An option of benchmarks that watch the machine. */
export const forceOption = {
  default: false,
  description: 'prints figures even if other processes used the machine',
} as const;

/** Reads the options of a benchmark. Prints them and exits with 0 for `--help`, with 2 for invalid arguments. */
export function readBenchOptions<const Options extends BenchOptions>(
  name: string,
  options: Options,
): Values<Options> {
  try {
    const values = parseBenchOptions(process.argv.slice(2), options);
    if (values !== 'help') return values;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${message}\n\n${toUsage(name, options)}`);
    process.exit(2);
  }
  process.stdout.write(toUsage(name, options));
  process.exit(0);
}

/** Throws if an argument is invalid. */
export function parseBenchOptions<const Options extends BenchOptions>(
  args: string[],
  options: Options,
): Values<Options> | 'help' {
  const known = Object.entries(options).map(([name, { default: value }]) => {
    const type = typeof value === 'boolean' ? ('boolean' as const) : ('string' as const);
    return [name, { type, default: value }] as const;
  });
  const { values } = parseArgs({
    args,
    options: { ...Object.fromEntries(known), help: { type: 'boolean' } },
  });
  const { help = false, ...own } = values;
  return help ? 'help' : (own as Values<Options>);
}

export function toUsage(name: string, options: BenchOptions): string {
  const lines = Object.entries(options).map(([option, { default: value, description }]) => {
    const head = typeof value === 'boolean' ? `--${option}` : `--${option} <value>`;
    const note = typeof value === 'boolean' || value === '' ? '' : ` (default: ${value})`;
    return { head, text: `${description}${note}` };
  });
  const width = Math.max(...lines.map(({ head }) => head.length));
  const list = lines.map(({ head, text }) => `  ${head.padEnd(width)}  ${text}\n`);
  return `pnpm bench ${name} [options]\n\n${list.join('')}`;
}
