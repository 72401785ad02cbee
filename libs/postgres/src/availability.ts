import pg from 'pg';

/**
 * What an error says about the database and about the connection it came on.
 *
 * `unavailable`: whether the database cannot be used now. `yes`: the server reports its own state. `maybe`: a heavy or
 * harmful statement is as likely a cause, so that a caller who counts attempts checks the database first.
 *
 * `drop`: what must not be used again. `pool` is every connection that was open at that moment.
 */
export type Decision = { unavailable: 'no' | 'maybe' | 'yes'; drop: 'nothing' | 'connection' | 'pool' };

const statementFault: Decision = { unavailable: 'no', drop: 'nothing' };
const sessionFault: Decision = { unavailable: 'no', drop: 'connection' };
const interrupted: Decision = { unavailable: 'maybe', drop: 'nothing' };
const lost: Decision = { unavailable: 'maybe', drop: 'connection' };
/** Of the server as a whole. */
const serverFault: Decision = { unavailable: 'yes', drop: 'connection' };
const refused: Decision = { unavailable: 'yes', drop: 'connection' };
const readOnly: Decision = { unavailable: 'yes', drop: 'pool' };

/** Every class of appendix A of the PostgreSQL manual. */
const classes: Readonly<Record<string, Decision>> = {
  '00': statementFault, // successful completion
  '01': statementFault, // warning
  '02': statementFault, // no data
  '03': statementFault, // SQL statement not yet complete
  '08': lost, // connection exception; also what PgBouncer reports about itself
  '09': statementFault, // triggered action exception
  '0A': sessionFault, // feature not supported; a cached plan that no longer fits fails on its session for ever
  '0B': statementFault, // invalid transaction initiation
  '0F': statementFault, // locator exception
  '0L': statementFault, // invalid grantor
  '0P': statementFault, // invalid role specification
  '0Z': statementFault, // diagnostics exception
  '10': statementFault, // XQuery error
  '20': statementFault, // case not found
  '21': statementFault, // cardinality violation
  '22': statementFault, // data exception
  '23': statementFault, // integrity constraint violation
  '24': statementFault, // invalid cursor state
  '25': statementFault, // invalid transaction state
  '26': lost, // invalid SQL statement name: the session is not the one that prepared it
  '27': statementFault, // triggered data change violation
  '28': refused, // invalid authorization: role, password, pg_hba.conf
  '2B': statementFault, // dependent privilege descriptors still exist
  '2D': statementFault, // invalid transaction termination
  '2F': statementFault, // SQL routine exception
  '34': statementFault, // invalid cursor name
  '38': statementFault, // external routine exception
  '39': statementFault, // external routine invocation exception
  '3B': statementFault, // savepoint exception
  '3D': refused, // invalid catalog name: the database does not exist
  '3F': statementFault, // invalid schema name
  '40': statementFault, // transaction rollback: `isRetryable`
  '42': statementFault, // syntax error or access rule violation
  '44': statementFault, // WITH CHECK OPTION violation
  '53': lost, // insufficient resources: connections, memory, disk
  '54': statementFault, // program limit exceeded
  '55': statementFault, // object not in prerequisite state: locks, sequences
  '57': lost, // operator intervention
  '58': lost, // system error: I/O
  '72': interrupted, // snapshot too old
  F0: refused, // configuration file error
  HV: statementFault, // foreign data wrapper error
  P0: statementFault, // PL/pgSQL error
  XX: sessionFault, // internal error, data corrupted
};

/** States that differ from their class. */
const states: Readonly<Record<string, Decision>> = {
  '25006': readOnly, // read_only_sql_transaction
  '25P03': lost, // idle_in_transaction_session_timeout
  '25P04': lost, // transaction_timeout
  '42P05': lost, // duplicate_prepared_statement: as class 26
  '53100': serverFault, // disk_full
  '57014': interrupted, // query_canceled: statement_timeout
  '57P01': serverFault, // admin_shutdown
  '57P02': serverFault, // crash_shutdown
  '57P03': refused, // cannot_connect_now: starting, in recovery, shutting down
  '57P04': refused, // database_dropped
  '58030': serverFault, // io_error
};

/** These severities end the session, whatever the state. */
const endOfSession = new Set(['FATAL', 'PANIC']);

/** Of the socket, the resolver and Node's streams. Others are known by the connection that they ended. */
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

/** The driver's own failures have no code, only these messages. */
const driverMessages =
  /^(?:Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end|Received unexpected \w+ message from backend)/;

/** The server accepts no writes on this session: it is a standby, or read-only by its settings. */
export class ReadOnlySessionError extends Error {
  override readonly name = 'ReadOnlySessionError';
}

const connectErrors = new WeakSet<object>();
const connectionErrors = new WeakSet<object>();

/** Marks the error of a session that did not open: whatever its state, the database cannot be used now. */
export function markConnectError(error: unknown): unknown {
  if (typeof error === 'object' && error !== null) connectErrors.add(error);
  return error;
}

/** Marks an error that ended an open session, such as one of TLS: its statements are rejected with the same object. */
export function markConnectionError(error: unknown): void {
  if (typeof error === 'object' && error !== null) connectionErrors.add(error);
}

export function decide(error: unknown): Decision {
  for (let current = error; isErrorLike(current); current = current.cause) {
    if (current instanceof ReadOnlySessionError) return readOnly;
    if (connectErrors.has(current)) return refused;
    if (current instanceof pg.DatabaseError) {
      const decision = decideState(current.code, current.severity);
      return decision.unavailable === 'no' && connectionErrors.has(current) ? lost : decision;
    }
    if (connectionErrors.has(current)) return lost;
    if (socketErrors.has(current.code ?? '') || driverMessages.test(current.message ?? '')) return lost;
  }
  return statementFault;
}

/** The decision about an error that the server sent on an open session. Without a state, the driver could not read it. */
export function decideState(state?: string, severity = 'ERROR'): Decision {
  if (state === undefined) return lost;
  const decision = states[state] ?? classes[state.slice(0, 2)] ?? statementFault;
  return decision.unavailable === 'no' && endOfSession.has(severity) ? lost : decision;
}

/** Whether the database could not be used, or had no answer in time: worth a retry, no fault of the request. */
export function isUnavailable(error: unknown): boolean {
  return decide(error).unavailable !== 'no';
}

/** Whether the database could not be used for a reason of its own, such as a shutdown or a full disk. */
export function isOutage(error: unknown): boolean {
  return decide(error).unavailable === 'yes';
}

type ErrorLike = { code?: string; message?: string; cause?: unknown };

/** By shape: an error of Node itself is no `instanceof Error` in a test runner's realm. */
function isErrorLike(value: unknown): value is ErrorLike {
  return typeof value === 'object' && value !== null && 'message' in value;
}

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
