import pg from 'pg';

/** The five-character SQLSTATE of an error the server sent. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** The name of the violated constraint when the error is a unique violation. */
export function uniqueViolation(error: unknown): string | undefined {
  return sqlState(error) === '23505' ? (error as pg.DatabaseError).constraint : undefined;
}

/** Whether another try of the whole transaction may succeed: serialization failure or deadlock. */
export function isRetryable(error: unknown): boolean {
  const state = sqlState(error);
  return state === '40001' || state === '40P01';
}
