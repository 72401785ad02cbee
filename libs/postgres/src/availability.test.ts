import { expect, test } from '@jest/globals';
import pg from 'pg';
import {
  decideState,
  isOutage,
  isUnavailable,
  markConnectError,
  markConnectionError,
  ReadOnlySessionError,
} from './availability.ts';
import { isConnectionBroken } from './checkout.ts';

/** The classes of appendix A of the PostgreSQL 18 manual, with the decision about an error in an open session. */
const appendix: [decision: string, classes: string][] = [
  [
    'no nothing',
    '00 01 02 03 09 0B 0F 0L 0P 0Z 10 20 21 22 23 24 25 27 2B 2D 2F 34 38 39 3B 3F 40 42 44 54 55 HV P0',
  ],
  ['no connection', '0A XX'],
  ['maybe nothing', '72'],
  ['maybe connection', '08 26 53 57 58'],
  ['yes connection', '28 3D F0'],
];
const textOf = ({ unavailable, drop }: ReturnType<typeof decideState>): string => `${unavailable} ${drop}`;

test('every SQLSTATE class of PostgreSQL is decided', () => {
  const decided = appendix.flatMap(([decision, classes]) =>
    classes.split(' ').map((name) => [name, decision] as const),
  );
  expect(decided).toHaveLength(44);
  expect(Object.fromEntries(decided.map(([name]) => [name, textOf(decideState(`${name}999`))]))).toEqual(
    Object.fromEntries(decided),
  );
});

test.each([
  ['25006', 'yes pool', 'read_only_sql_transaction'],
  ['25P03', 'maybe connection', 'idle_in_transaction_session_timeout'],
  ['25P04', 'maybe connection', 'transaction_timeout'],
  ['42P05', 'maybe connection', 'duplicate_prepared_statement'],
  ['53100', 'yes connection', 'disk_full'],
  ['57014', 'maybe nothing', 'query_canceled'],
  ['57P01', 'yes connection', 'admin_shutdown'],
  ['57P02', 'yes connection', 'crash_shutdown'],
  ['57P03', 'yes connection', 'cannot_connect_now'],
  ['57P04', 'yes connection', 'database_dropped'],
  ['58030', 'yes connection', 'io_error'],
])('a state that differs from its class: %s is %s (%s)', (state, decision) => {
  expect(textOf(decideState(state))).toBe(decision);
});

test('an error that ends the session is unavailability, whatever its state', () => {
  expect(textOf(decideState('42501', 'FATAL'))).toBe('maybe connection');
  expect(textOf(decideState('XX000', 'PANIC'))).toBe('maybe connection');
  expect(textOf(decideState('25006', 'FATAL'))).toBe('yes pool');
  expect(textOf(decideState(undefined))).toBe('maybe connection');
});

const databaseError = (code: string): pg.DatabaseError =>
  Object.assign(new pg.DatabaseError('of the server', 1, 'error'), { code, severity: 'ERROR' });
const nodeError = (code: string): Error => Object.assign(new Error('of Node'), { code });

test.each([
  ['permission denied for database', databaseError('42501')],
  ['database is not accepting connections', databaseError('55000')],
  ['an unknown startup parameter', databaseError('42704')],
  ['unknown certificate authority', nodeError('SELF_SIGNED_CERT_IN_CHAIN')],
  ['certificate of another host', nodeError('ERR_TLS_CERT_ALTNAME_INVALID')],
  ['no permission of the firewall', nodeError('EPERM')],
  ['no TLS', new Error('The server does not support SSL connections')],
  [
    'a password that SCRAM rejects',
    new Error('SASL: SCRAM-SERVER-FINAL-MESSAGE: server signature is missing'),
  ],
])('an error of a statement is unavailability while connecting: %s', (_, error) => {
  expect(isUnavailable(error)).toBe(false);
  markConnectError(error);
  expect(isUnavailable(error)).toBe(true);
  expect(isOutage(new Error('a caller', { cause: error }))).toBe(true);
  expect(isConnectionBroken(error)).toBe(true);
});

test.each([
  ['TLS', nodeError('ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC')],
  ['the socket', nodeError('EPROTO')],
  ['the server', databaseError('42501')],
])('an error that ended an open session is unavailability, whatever its code: of %s', (_, error) => {
  expect(isUnavailable(error)).toBe(false);
  markConnectionError(error);
  expect(isUnavailable(error)).toBe(true);
  expect(isConnectionBroken(error)).toBe(true);
});

test.each([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EHOSTDOWN',
  'ENETDOWN',
  'ENOTCONN',
  'ERR_STREAM_DESTROYED',
])('%s is unavailability and breaks the connection', (code) => {
  expect(isUnavailable(nodeError(code))).toBe(true);
  expect(isConnectionBroken(nodeError(code))).toBe(true);
});

test.each([
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'timeout exceeded when trying to connect',
  'Query read timeout',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end on the pool',
  'Received unexpected commandComplete message from backend.',
])('the driver: %s', (message) => {
  expect(isUnavailable(new Error(message))).toBe(true);
  expect(isConnectionBroken(new Error(message))).toBe(true);
});

test('a read-only session is an outage, a bug is not', () => {
  expect(isOutage(new ReadOnlySessionError())).toBe(true);
  expect(isUnavailable(new TypeError('x is not a function'))).toBe(false);
  expect(isUnavailable('ECONNREFUSED')).toBe(false);
  expect(isUnavailable(undefined)).toBe(false);
});
