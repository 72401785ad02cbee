import { UsageError } from './failure.ts';

export type Settings = { baseUrl: string; apiKey: string };

function readVariable(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new UsageError(`set the environment variable ${name}`);
  return value;
}

/** An invalid header would be quoted by `fetch` in its error, with the key. */
function readKey(): string {
  const key = readVariable('BV_API_KEY');
  if (!/^[\x21-\x7e]+$/.test(key)) throw new UsageError('BV_API_KEY has invalid characters');
  return key;
}

export const readSettings = (): Settings => ({
  baseUrl: readVariable('BV_BASE_URL'),
  apiKey: readKey(),
});
