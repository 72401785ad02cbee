import { roleOf } from '@bv/postgres';

export const testPassword = 'test';

/** The same server and user, another database. */
export function databaseUrl(url: string, database: string): string {
  const result = new URL(url);
  result.pathname = `/${database}`;
  return result.href;
}

/** The same database as the service's own role, which can touch the service's schema alone. */
export function serviceUrl(url: string, service: string): string {
  const result = new URL(url);
  result.username = roleOf(service);
  result.password = testPassword;
  return result.href;
}
