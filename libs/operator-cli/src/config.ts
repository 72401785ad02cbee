import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { baseUrl } from '@bv/settings';
import { z } from 'zod';
import { exitStatus, Failure } from './failure.ts';

/** Address and token of the operator API, and where they come from. */
export type Target = { url: string; token: string; urlSource: string; tokenSource: string };

const address = baseUrl('Address of the operator API.');

export const ConfigSchema = z.object({
  // Checked when it is used: `--url` comes before it, and a problem is a usage error of the command.
  OPERATOR_URL: z.string().optional().meta({ description: 'Address of the operator API.' }),
  OPERATOR_TOKEN: z.string().optional().meta({ description: 'Bearer token of the operator API.' }),
});
export type Environment = z.infer<typeof ConfigSchema>;

type Given = { url?: string; token?: string };
type StackFile = { operator_url?: string; operator_token?: string };

const prefix = '/operator/v1';

export const readEnvironment = (): Environment => ConfigSchema.parse(process.env);

/** Options first, then the environment, then the stack that runs here. */
export function findTarget(given: Given, environment: Environment, directory: string): Target {
  const stackFile = join(directory, '.data', 'stack.json');
  const stack = readStackFile(stackFile);
  const url = firstOf([
    [given.url, '--url'],
    [environment.OPERATOR_URL, 'OPERATOR_URL'],
    [stack.operator_url, stackFile],
  ]);
  const token = firstOf([
    [given.token, '--token'],
    [environment.OPERATOR_TOKEN, 'OPERATOR_TOKEN'],
    [stack.operator_token, stackFile],
  ]);
  if (url === undefined || token === undefined) {
    throw new Failure(
      exitStatus.usage,
      `It is not known ${url === undefined ? 'where the operator API is' : 'which token to use'}`,
      {
        advice: [
          'Give --url and --token, or set OPERATOR_URL and OPERATOR_TOKEN.',
          `Or start the local stack with \`npm start\`: it writes both to ${stackFile}.`,
        ],
      },
    );
  }
  return { url: baseOf(url), token: token.value, urlSource: url.source, tokenSource: token.source };
}

type Found = { value: string; source: string };

function firstOf(candidates: [string | undefined, string][]): Found | undefined {
  for (const [value, source] of candidates) {
    if (value !== undefined && value.trim() !== '') return { value: value.trim(), source };
  }
  return undefined;
}

function baseOf({ value, source }: Found): string {
  const checked = address.safeParse(value);
  if (!checked.success) {
    const [problem] = checked.error.issues;
    throw new Failure(exitStatus.usage, `${source}: ${problem?.message}`, {
      advice: ['Write it like http://127.0.0.1:8090.'],
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
    // No stack has run here, or it is starting now: the options and the environment are left.
    return {};
  }
}
