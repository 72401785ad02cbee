import pg from 'pg';

/**
 * What an error means for the database and for the connection of the error.
 *
 * `unavailable`: whether the database cannot be used now. `yes`: the server reports its own state. `maybe`: a heavy or
 * harmful statement is as likely a cause, so a caller who counts attempts checks the database first.
 *
 * `drop`: what must not be used again. `pool` is every connection that was open at that moment.
 */
export type Decision = { unavailable: 'no' | 'maybe' | 'yes'; drop: 'nothing' | 'connection' | 'pool' };

const statementFault: Decision = { unavailable: 'no', drop: 'nothing' };
const interrupted: Decision = { unavailable: 'maybe', drop: 'nothing' };
const lost: Decision = { unavailable: 'maybe', drop: 'connection' };
const outage: Decision = { unavailable: 'yes', drop: 'connection' };
const readOnly: Decision = { unavailable: 'yes', drop: 'pool' };

/**
 * Classes of appendix A of the PostgreSQL manual that only the text and the values of a statement cause. A statement that
 * expects such an error handles it, elsewhere it is a bug.
 */
const statementClasses = new Set(['20', '21', '22', '23', '24', '25', '27', '34', '3B', '42', '44', 'P0']);

/** Classes and states that differ: a state decides before its class, and the rest is `lost`. */
const exceptions: Readonly<Record<string, Decision>> = {
  '08': outage, // connection exception: the server cannot reach another one, of a cluster or behind a pooler
  '08P01': lost, // protocol_violation: a message of ours, or an error of PgBouncer
  '25006': readOnly, // read_only_sql_transaction
  '25P03': lost, // idle_in_transaction_session_timeout
  '25P04': lost, // transaction_timeout
  '28': outage, // invalid authorization: role, password, pg_hba.conf
  '3D': outage, // invalid catalog name: the database does not exist
  '40': interrupted, // a conflict with another transaction
  // The schema is not as the migrations left it: a restore, another version, a revoked right.
  '42501': interrupted, // insufficient_privilege
  '42703': interrupted, // undefined_column
  '42704': interrupted, // undefined_object
  '42883': interrupted, // undefined_function
  '42P01': interrupted, // undefined_table, also for a schema without USAGE
  '42P05': lost, // duplicate_prepared_statement: another session prepared it
  '53100': outage, // disk_full
  '54': interrupted, // program limit: transaction ids, max_stack_depth
  '55': interrupted, // object in use, locked or not ready
  '57014': interrupted, // query_canceled: statement_timeout
  '57P01': outage, // admin_shutdown
  '57P02': outage, // crash_shutdown
  '57P03': outage, // cannot_connect_now: starting, in recovery, shutting down
  '57P04': outage, // database_dropped
  '58030': outage, // io_error
  '72': interrupted, // snapshot too old
  F0: outage, // configuration file error
};

/** These severities end the session, whatever the state. */
const endOfSession = new Set(['FATAL', 'PANIC']);

/** Codes of the socket, the resolver and Node's streams. Others are marked when they end a connection. */
const socketErrors = new Set([
  'EADDRNOTAVAIL',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EAI_NODATA',
  'EAI_NONAME',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETRESET',
  'ENETUNREACH',
  'ENOTCONN',
  'ENOTFOUND',
  'EPIPE',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_WRITE_AFTER_END',
  'ETIMEDOUT',
]);

/** The driver's own errors have no code, only these messages. */
const driverMessages =
  /^(?:Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end|Received unexpected \w+ message from backend)/;

/** The server accepts no writes in this session, because it is a standby or read-only by its settings. */
export class ReadOnlySessionError extends Error {
  override readonly name = 'ReadOnlySessionError';
}

const connectErrors = new WeakSet<object>();
const connectionErrors = new WeakSet<object>();

/** Marks the error of a session that did not open: the database cannot be used now, for any SQLSTATE. */
export function markConnectError(error: unknown): unknown {
  if (typeof error === 'object' && error !== null) connectErrors.add(error);
  return error;
}

/** Marks an error that ended an open session, such as one of TLS. Its statements are rejected with the same object. */
export function markConnectionError(error: unknown): void {
  if (typeof error === 'object' && error !== null) connectionErrors.add(error);
}

export function decide(error: unknown): Decision {
  for (let current = error; isErrorLike(current); current = current.cause) {
    if (current instanceof ReadOnlySessionError) return readOnly;
    if (connectErrors.has(current)) return outage;
    if (current instanceof pg.DatabaseError) {
      const decision = decideState(current.code, current.severity);
      return decision.drop === 'nothing' && connectionErrors.has(current) ? lost : decision;
    }
    if (connectionErrors.has(current)) return lost;
    if (socketErrors.has(current.code ?? '') || driverMessages.test(current.message ?? '')) return lost;
  }
  return statementFault;
}

/** Decides about an error that the server sent in an open session. Without a state, the driver could not parse it. */
export function decideState(state?: string, severity = 'ERROR'): Decision {
  if (state === undefined) return lost;
  const name = state.slice(0, 2);
  const fallback = statementClasses.has(name) ? statementFault : lost;
  const decision = exceptions[state] ?? exceptions[name] ?? fallback;
  return decision.drop === 'nothing' && endOfSession.has(severity) ? lost : decision;
}

/** Whether the database could not be used or timed out. The request is not at fault and may be retried. */
export function isUnavailable(error: unknown): boolean {
  return decide(error).unavailable !== 'no';
}

/** Whether the database reports its own failure, such as a shutdown or a full disk. */
export function isOutage(error: unknown): boolean {
  return decide(error).unavailable === 'yes';
}

type ErrorLike = { code?: string; message?: string; cause?: unknown };

/** By shape, because Node's own errors are not `instanceof Error` in the realm of a test runner. */
function isErrorLike(value: unknown): value is ErrorLike {
  return typeof value === 'object' && value !== null && 'message' in value;
}

/** The five-character SQLSTATE of an error of the server. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** The name of the violated constraint if the error is a unique violation. */
export function uniqueViolation(error: unknown): string | undefined {
  return sqlState(error) === '23505' ? (error as pg.DatabaseError).constraint : undefined;
}
