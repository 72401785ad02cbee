import { z } from 'zod';

const programs = {
  gateway: 'services/gateway',
  catalog: 'services/catalog',
  results: 'services/results',
  scans: 'services/scans',
  webhooks: 'services/webhooks',
  migrate: 'libs/migrator',
};

type Property = { type?: string | string[]; description?: string; default?: unknown; enum?: unknown[] };

/** The environment of a program: a service or `migrate`. */
export async function configSchemaOf(program: string): Promise<z.ZodObject> {
  const directory = programs[program as keyof typeof programs];
  const module = (await import(`../${directory}/src/config.ts`)) as { ConfigSchema: z.ZodObject };
  return module.ConfigSchema;
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

function rowOf(name: string, field: z.ZodType): string {
  const property = z.toJSONSchema(field, { io: 'input', unrepresentable: 'any' }) as Property;
  // `.meta` may sit on either side of a transform; the field itself is asked first.
  const description = field.meta()?.description ?? property.description ?? '';
  const optional = field.safeParse(undefined);
  const fallback =
    property.default === undefined
      ? optional.success
        ? 'optional'
        : 'needed'
      : `\`${JSON.stringify(property.default)}\``;
  return `| \`${name}\` | ${fallback} | ${cell(description)} |`;
}

/** One table of environment variables a program, from its own config schema. */
export async function configurationDocument(): Promise<string> {
  const parts = [
    '# Configuration',
    '',
    'Generated from the config schema of each program; read from the environment once, at start.',
  ];
  for (const program of Object.keys(programs)) {
    const { shape } = await configSchemaOf(program);
    parts.push('', `## ${program}`, '', '| Variable | Default | Meaning |', '|---|---|---|');
    for (const [name, field] of Object.entries(shape)) parts.push(rowOf(name, field as z.ZodType));
  }
  return `${parts.join('\n')}\n`;
}
