import { roleOf } from '@bv/postgres';

export const testPassword = 'test';

/** URL of another database on the same server with the same user. */
export function databaseUrl(url: string, database: string): string {
  const result = new URL(url);
  result.pathname = `/${database}`;
  return result.href;
}

/** URL of the same database for the service's role, which has access to the service's schema only. */
export function serviceUrl(url: string, service: string): string {
  const result = new URL(url);
  result.username = roleOf(service);
  result.password = testPassword;
  return result.href;
}
