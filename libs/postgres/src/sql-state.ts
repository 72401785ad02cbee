import pg from 'pg';

/** States that mean the database cannot be used now, whatever the statement was. */
const unavailableStates = new Set([
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '57P05', // idle_session_timeout
  '57014', // query_canceled: statement_timeout
  '25P03', // idle_in_transaction_session_timeout
]);
const unavailableClasses = new Set([
  '08', // connection_exception
  '53', // insufficient_resources: too_many_connections, disk_full
]);
const socketErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/** The driver's own failures carry no code, only these messages. */
const driverMessages =
  /^(?:Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end)/;

/** The five-character SQLSTATE of an error the server sent. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** The name of the violated constraint when the error is a unique violation. */
export function uniqueViolation(error: unknown): string | undefined {
  return sqlState(error) === '23505' ? (error as pg.DatabaseError).constraint : undefined;
}

/** Whether the database could not be reached or had no answer in time: worth a retry, no fault of the request. */
export function isUnavailable(error: unknown): boolean {
  for (let current = error; isErrorLike(current); current = current.cause) {
    const { code = '', message = '' } = current;
    if (current instanceof pg.DatabaseError) {
      return unavailableStates.has(code) || unavailableClasses.has(code.slice(0, 2));
    }
    if (socketErrors.has(code) || driverMessages.test(message)) return true;
  }
  return false;
}

type ErrorLike = { code?: string; message?: string; cause?: unknown };

/** By shape: an error of Node itself is no `instanceof Error` in a test runner's realm. */
function isErrorLike(value: unknown): value is ErrorLike {
  return typeof value === 'object' && value !== null && 'message' in value;
}

/** Whether another try of the whole transaction may succeed: serialization failure or deadlock. */
export function isRetryable(error: unknown): boolean {
  const state = sqlState(error);
  return state === '40001' || state === '40P01';
}

/**
 * Whether the connection must be thrown away; a refused statement leaves it sound. A prepared statement whose
 * plan no longer fits the schema (0A000) would fail on its connection for ever, so that one goes too.
 */
export function spoilsConnection(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return isUnavailable(error);
  return error.severity !== 'ERROR' || error.code === '0A000';
}
