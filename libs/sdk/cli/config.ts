import { UsageError } from './failure.ts';

export type Settings = { baseUrl: string; apiKey: string };

function readVariable(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new UsageError(`set the environment variable ${name}`);
  return value;
}

export const readSettings = (): Settings => ({
  baseUrl: readVariable('BV_BASE_URL'),
  apiKey: readVariable('BV_API_KEY'),
});
