import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { baseUrl } from '@bv/settings';
import { z } from 'zod';
import { exitStatus, Failure } from './failure.ts';

/** Address and token of the operator API, and the option, variable or file that each comes from. */
export type Target = { url: string; token: string; urlSource: string; tokenSource: string };

const address = baseUrl('Address of the operator API.');

export const ConfigSchema = z.object({
  // Validated when it is used: `--url` takes precedence, and an invalid value is a usage error.
  OPERATOR_URL: z.string().optional().meta({ description: 'Address of the operator API.', form: 'URL' }),
  OPERATOR_TOKEN: z
    .string()
    .optional()
    .meta({ description: 'Bearer token of the operator API.', form: 'secret' }),
});
export type Environment = z.infer<typeof ConfigSchema>;

type TargetOptions = { url?: string; token?: string };
type StackFile = { operator_url?: string; operator_token?: string };

const prefix = '/operator/v1';

export const readEnvironment = (): Environment => ConfigSchema.parse(process.env);

/** Uses the options, else the environment, else the local stack. Throws a usage error if none has both values. */
export function findTarget(options: TargetOptions, environment: Environment, directory: string): Target {
  const stackFile = join(directory, '.data', 'stack.json');
  const stack = readStackFile(stackFile);
  const url = findFirst([
    [options.url, '--url'],
    [environment.OPERATOR_URL, 'OPERATOR_URL'],
    [stack.operator_url, stackFile],
  ]);
  const token = findFirst([
    [options.token, '--token'],
    [environment.OPERATOR_TOKEN, 'OPERATOR_TOKEN'],
    [stack.operator_token, stackFile],
  ]);
  if (url === undefined || token === undefined) {
    const [subject, variable] = url === undefined ? ['address', 'OPERATOR_URL'] : ['token', 'OPERATOR_TOKEN'];
    throw new Failure(
      exitStatus.usage,
      `No operator API ${subject} is configured. Set ${variable} or start the local stack.`,
      {
        hints: [
          'Pass --url and --token, or set OPERATOR_URL and OPERATOR_TOKEN.',
          `The local stack (\`npm start\`) writes both to ${stackFile}.`,
        ],
      },
    );
  }
  return { url: parseBaseUrl(url), token: token.value, urlSource: url.source, tokenSource: token.source };
}

type Found = { value: string; source: string };

function findFirst(candidates: [string | undefined, string][]): Found | undefined {
  for (const [value, source] of candidates) {
    if (value !== undefined && value.trim() !== '') return { value: value.trim(), source };
  }
  return undefined;
}

function parseBaseUrl({ value, source }: Found): string {
  const checked = address.safeParse(value);
  if (!checked.success) {
    const [problem] = checked.error.issues;
    throw new Failure(exitStatus.usage, `${source}: ${problem?.message}`, {
      hints: ['Example: http://127.0.0.1:8090.'],
    });
  }
  const parsed = new URL(checked.data);
  const path = parsed.pathname.replace(/\/+$/, '');
  return parsed.origin + (path.endsWith(prefix) ? path : path + prefix);
}

function readStackFile(file: string): StackFile {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as StackFile;
  } catch {
    // No stack has run here, or it is starting. Only the options and the environment can have the values.
    return {};
  }
}
