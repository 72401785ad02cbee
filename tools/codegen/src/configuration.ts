import { z } from 'zod';

const programs = {
  gateway: 'services/gateway/src',
  catalog: 'services/catalog/src',
  results: 'services/results/src',
  scans: 'services/scans/src',
  webhooks: 'services/webhooks/src',
  migrate: 'libs/migrator/src',
  operator: 'libs/operator-cli/src',
  simulator: 'tools/platform-simulator/src',
  tracing: 'libs/telemetry/src',
};
const notes: Partial<Record<string, string>> = {
  operator: 'Default: the stack of `npm start`. `--url` and `--token` take precedence.',
  simulator: 'Simulates the platforms: in `npm start`, in tests, and where Compose or the chart enable it.',
  tracing:
    'Every service. The OpenTelemetry SDK also reads its own `OTEL_*` variables: service name, protocol, sampler, limits.',
};

type Property = { type?: string | string[]; description?: string; default?: unknown; enum?: unknown[] };

/** Loads the config schema of a program. */
export async function loadConfigSchema(program: string): Promise<z.ZodObject> {
  const directory = programs[program as keyof typeof programs];
  const module = (await import(`../../../${directory}/config.ts`)) as { ConfigSchema: z.ZodObject };
  return module.ConfigSchema;
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

function toRow(name: string, field: z.ZodType): string {
  const property = z.toJSONSchema(field, { io: 'input', unrepresentable: 'any' }) as Property;
  // `.meta` may be on either side of a transform. The field itself has precedence.
  const description = field.meta()?.description ?? property.description ?? '';
  return `| \`${name}\` | ${defaultCell(property, field.safeParse(undefined))} | ${cell(description)} |`;
}

function defaultCell(property: Property, unset: z.ZodSafeParseResult<unknown>): string {
  // The input of a flag is text and has no default. The parsed value shows it.
  const fallback = property.default ?? (typeof unset.data === 'boolean' ? unset.data : undefined);
  if (fallback !== undefined) return `\`${JSON.stringify(fallback)}\``;
  return unset.success ? 'optional' : 'required';
}

/** docs/configuration.md: one table of environment variables per program, from its config schema. */
export async function configurationDocument(): Promise<string> {
  const parts = [
    '# Configuration',
    '',
    'Generated from the config schema of each program; read from the environment once, at start.',
    '',
    'A setting that is a URL is validated at start. Percent-encode `/ @ # ? % [ ] \\` and spaces in user names and passwords: `/` is written `%2F`. The error names the variable and quotes nothing of its value.',
  ];
  for (const program of Object.keys(programs)) {
    const { shape } = await loadConfigSchema(program);
    const note = notes[program];
    parts.push(
      '',
      `## ${program}`,
      ...(note === undefined ? [] : ['', note]),
      '',
      '| Variable | Default | Meaning |',
      '|---|---|---|',
    );
    for (const [name, field] of Object.entries(shape)) parts.push(toRow(name, field as z.ZodType));
  }
  return `${parts.join('\n')}\n`;
}
