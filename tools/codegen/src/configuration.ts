import { developmentSubject } from '@bv/settings';
import type { z } from 'zod';
import { settingCells } from './setting-cells.ts';

const services = {
  gateway: 'services/gateway/src',
  catalog: 'services/catalog/src',
  results: 'services/results/src',
  scans: 'services/scans/src',
  webhooks: 'services/webhooks/src',
};
const otherPrograms = {
  migrate: 'libs/migrator/src',
  operator: 'clients/operator-cli/src',
  simulator: 'tools/platform-simulator/src',
  tracing: 'libs/telemetry/src',
};
const programs: Record<string, string> = { ...services, ...otherPrograms };

export const configuredPrograms: readonly string[] = Object.keys(programs);

const notes: Partial<Record<string, string>> = {
  'All services': 'In addition, each reads its own variables and those of [tracing](#tracing).',
  scans:
    'The chart runs this program twice: `scans` with `WORKER_CONCURRENCY=0`, and `scans-worker` with `SCHEDULE_INTERVAL_MS=0`.',
  webhooks: 'The chart and Compose run this program twice: with `ROLE=api` and with `ROLE=dispatcher`.',
  operator: 'Default: the stack of `npm start`. `--url` and `--token` take precedence.',
  simulator: 'Simulates the platforms: in `npm start`, in tests, and where Compose or the chart enable it.',
  tracing:
    'Every service. The OpenTelemetry SDK also reads its own `OTEL_*` variables: service name, protocol, sampler, limits.',
};

const introduction = `# Configuration

Generated from the config schema of each program. Each line has the type of a variable, its default and its meaning. A program reads the environment once, at start. An invalid value ends it with an error that names the variable, and quotes nothing of its value.

- **Required.** Without a variable whose default is **required**, the program does not start. \`none\` means that it may be absent, and an empty value counts as absent.
- **URLs.** Percent-encode \`/ @ # ? % [ ] \\\` and spaces in user names and passwords: \`/\` is written \`%2F\`.
- **Where to set them.** In the chart, \`config\` of a component ([values](operations/install-helm.md#6-values)). With Compose, an override file ([further settings](operations/install-compose.md#further-settings)).
- **Secrets.** Variables of the types secret, secrets and keys, and the URLs of the stores. Never put them into a ConfigMap.
- **${developmentSubject}.** An installation leaves these variables as they are.`;

/** Loads the config schema of a program. */
export async function loadConfigSchema(program: string): Promise<z.ZodObject> {
  const module = (await import(`../../../${programs[program]}/config.ts`)) as { ConfigSchema: z.ZodObject };
  return module.ConfigSchema;
}

/** One line: a variable, or those of several services or prefixes that differ in nothing but their default. */
type Row = { name: string; subject: string; fields: { of: string; field: z.ZodType }[] };
type Meta = { subject?: string; prefix?: string };

const metaOf = (field: z.ZodType): Meta => (field.meta() as Meta | undefined) ?? {};

function line({ name, fields }: Row): string {
  const cells = fields.map(({ field }) => settingCells(field, name));
  const [first] = cells;
  if (first === undefined) throw new Error(`${name} has no field`);
  const defaults = fields.map(({ of }, index) => ({ of, value: cells[index]?.default ?? '' }));
  return `- \`${name}\` (${first.type}; ${joinDefaults(defaults)}). ${first.description.replaceAll('\n', ' ')}`;
}

/** The default that most have, then those that differ with their names: "`10`, scans `16`". */
function joinDefaults(defaults: { of: string; value: string }[]): string {
  const groups = [...Map.groupBy(defaults, ({ value }) => value).values()];
  const [largest = []] = groups.toSorted((a, b) => b.length - a.length);
  const usual = largest.length > 1 || defaults.length === 1 ? largest : [];
  const others = defaults.filter((each) => !usual.includes(each)).map(({ of, value }) => `${of} ${value}`);
  return [...usual.slice(0, 1).map(({ value }) => value), ...others].join(', ');
}

/** What `<PLATFORM>` stands for in a list. */
function placeholderNote(rows: Row[]): string[] {
  const prefixes = new Set(rows.flatMap(({ fields }) => fields.map(({ field }) => metaOf(field).prefix)));
  const names = [...prefixes].filter((prefix) => prefix !== undefined).map((prefix) => `\`${prefix}\``);
  if (names.length === 0) return [];
  return ['', `\`<PLATFORM>\` is ${names.join(', ')}: \`CLAUDE_API_KEY\` is the key of Claude.`];
}

/** One list per subject, in the order of the schema. */
function lists(rows: Row[]): string[] {
  const subjects = [...new Set(rows.map(({ subject }) => subject))];
  const ordered = subjects.toSorted(
    (a, b) => Number(a === developmentSubject) - Number(b === developmentSubject),
  );
  return ordered.flatMap((subject) => {
    const own = rows.filter((row) => row.subject === subject);
    const heading = subject === '' ? [] : ['', `### ${subject}`];
    return [...heading, ...placeholderNote(own), '', ...own.map(line)];
  });
}

/** Variables with a prefix share a row if they mean the same. */
function toRows(shape: Record<string, z.ZodType>): Row[] {
  const rows = new Map<string, Row>();
  for (const [name, field] of Object.entries(shape)) {
    const { subject = '', prefix } = metaOf(field);
    const rest = prefix === undefined ? name : name.slice(prefix.length + 1);
    const key = JSON.stringify([rest, settingCells(field, name).description]);
    const row = rows.get(key) ?? { name, subject, fields: [] };
    row.fields.push({ of: prefix ?? '', field });
    if (row.fields.length > 1) row.name = `<PLATFORM>_${rest}`;
    rows.set(key, row);
  }
  return [...rows.values()];
}

/** The variables of every service, with the defaults of each. */
function commonRows(shapes: Map<string, Record<string, z.ZodType>>): Row[] {
  const [shape = {}] = shapes.values();
  const common = Object.entries(shape).filter(([name]) => [...shapes.values()].every((each) => name in each));
  return common.map(([name, first]) => ({
    name,
    subject: metaOf(first).subject ?? '',
    fields: [...shapes].map(([of, { [name]: field = first }]) => ({ of, field })),
  }));
}

function section(title: string, rows: Row[]): string[] {
  const note = notes[title];
  return ['', `## ${title}`, ...(note === undefined ? [] : ['', note]), ...lists(rows)];
}

/** docs/configuration.md: the environment variables of each program by subject, from its config schema. */
export async function configurationDocument(): Promise<string> {
  const shapes = new Map<string, Record<string, z.ZodType>>();
  for (const program of configuredPrograms) {
    const { shape } = await loadConfigSchema(program);
    shapes.set(program, shape as Record<string, z.ZodType>);
  }
  const common = commonRows(new Map([...shapes].filter(([program]) => program in services)));
  const commonNames = new Set(common.map(({ name }) => name));
  const titles = ['All services', ...configuredPrograms];
  const links = titles.map((title) => `[${title}](#${title.toLowerCase().replace(' ', '-')})`);
  const parts = [introduction, '', `Programs: ${links.join(', ')}.`, ...section('All services', common)];
  for (const [program, shape] of shapes) {
    const own = Object.entries(shape).filter(([name]) => !(program in services && commonNames.has(name)));
    parts.push(...section(program, toRows(Object.fromEntries(own))));
  }
  return `${parts.join('\n')}\n`;
}
