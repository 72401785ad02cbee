import type { ClientOptions } from '@bv/sdk';

export function readSetting(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`${name} is not set`);
  return value;
}

export const readSettings = (): ClientOptions => ({
  baseUrl: readSetting('BV_BASE_URL'),
  apiKey: readSetting('BV_API_KEY'),
  onRetry: ({ operation, attempt, waitMs }) =>
    console.error(`${operation}: attempt ${attempt} failed, next in ${Math.round(waitMs)} ms`),
});
