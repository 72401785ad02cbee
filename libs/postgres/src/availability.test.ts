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

/**
 * Appendix A of the manuals of PostgreSQL 14 to 18: class or state, the status that a client gets, what may be used again,
 * reason, and the codes of the class. Lines of single states follow their class.
 */
const appendix = `
00 503 drop | no error                                               | 000
01 503 drop | warnings                                               | 000 00C 008 003 007 006 004 P01
02 503 drop | no error                                               | 000 001
03 503 drop | the server does not raise it                           | 000
08 503 drop | a worker of a cluster, or the server behind PgBouncer   | 000 003 006 001 004 007 P01
09 503 drop | a trigger, of which the product has none that fails    | 000
0A 503 drop | a cached plan became outdated                          | 000
0B 503 drop | the server does not raise it                           | 000
0F 503 drop | the server does not raise it                           | 000 001
0L 503 drop | rights of roles, which no service changes              | 000 P01
0P 503 drop | a role was dropped                                     | 000
0Z 503 drop | diagnostics, which no statement reads                  | 000 002
10 503 drop | XQuery, which no statement uses                        | 608
20 500 keep | text of a statement                                    | 000
21 500 keep | text of a statement                                    | 000
22 500 keep | values, which requests check first                     | 000 02E 021 008 012 005 00B 022 015 01E 014 016 01F 01G 018 007 019 00D 025 P06 010 023 013 01B 01W 01X 02H 02G 009 00C 00G 004 002 003 00H 026 001 011 027 024 00F P01 P02 P03 P04 P05 00L 00M 00N 00S 00T 030 031 032 033 034 035 036 037 038 039 03A 03B 03C 03D 03E 03F 03G
23 500 keep | values; a statement that expects it handles 23505      | 000 001 502 503 505 514 P01
24 500 keep | text of a statement                                    | 000
25 500 keep | order of our statements                                | 000 001 002 008 003 004 005 006 007 P01 P02 P03 P04
25006 503 pool | read-only server; in a read-only transaction 500
25P03 503 drop | a timeout of the server ended the session
25P04 503 drop | a timeout of the server ended the session
26 503 drop | another session prepared the statement                 | 000
27 500 keep | our own triggers                                       | 000
28 503 drop | the role, its password or pg_hba.conf                  | 000 P01
2B 503 drop | rights of roles, which no service changes              | 000 P01
2D 503 drop | COMMIT in a function, which no statement does          | 000
2F 503 drop | a function that somebody added                         | 000 005 002 003 004
34 500 keep | text of a statement                                    | 000
38 503 drop | a function of an extension                             | 000 001 002 003 004
39 503 drop | a function of an extension                             | 000 001 004 P01 P02 P03
3B 500 keep | order of our statements                                | 000 001
3D 503 drop | the database is missing                                | 000
3F 503 drop | the schema is missing                                  | 000
40 503 keep | a conflict that its retries did not heal               | 000 002 001 003 P01
42 500 keep | text of a statement                                    | 000 601 501 846 803 P20 P19 830 602 622 939 804 P18 P21 P22 809 8C9 703 883 P01 P02 704 701 P03 P04 723 P05 P06 P07 712 710 702 725 P08 P09 P10 611 P11 P12 P13 P14 P15 P16 P17
42501 503 keep | a right was revoked
42703 503 keep | the schema is of another version
42704 503 keep | the schema is of another version
42883 503 keep | the schema is of another version
42P01 503 keep | a restore is in progress, or USAGE was revoked
42P05 503 drop | another session prepared the statement
44 500 keep | values                                                 | 000
53 503 drop | connections, memory or disk                            | 000 100 200 300 400
54 503 keep | transaction ids ran out, or max_stack_depth            | 000 001 011 023
55 503 keep | an object in use, locked or not ready                  | 000 006 P02 P03 P04
57 503 drop | an operator or a timeout ended the session             | 000 014 P01 P02 P03 P04 P05
57014 503 keep | a timeout or an operator cancelled the statement
58 503 drop | the system of the server                               | 000 030 P01 P02 P03
72 503 keep | snapshot too old                                       | 000
F0 503 drop | configuration of the server                            | 000 001
HV 503 drop | a foreign table, of which the product has none         | 000 005 002 010 021 024 007 008 004 006 091 00B 00C 00D 090 00A 009 014 001 00P 00J 00K 00Q 00R 00L 00M 00N
P0 500 keep | our own functions                                      | 000 001 002 003 004
XX 503 drop | a bug of the server, or corrupted data                 | 000 001 002
`;

/** The last line of a code counts. */
const expected = new Map(
  appendix
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [decision = '', , codes = ''] = line.split('|');
      const [name = '', status, drop] = decision.split(' ');
      const states =
        name.length === 2
          ? codes
              .trim()
              .split(' ')
              .map((code) => name + code)
          : [name];
      return states.map((state) => [state, `${status} ${drop}`] as const);
    }),
);
const drops = { nothing: 'keep', connection: 'drop', pool: 'pool' };
const statusOf = (state: string | undefined, severity?: string): string => {
  const { unavailable, drop } = decideState(state, severity);
  return `${unavailable === 'no' ? 500 : 503} ${drops[drop]}`;
};

test('every SQLSTATE of PostgreSQL is decided, and an unknown one is no fault of the product', () => {
  expect(expected.size).toBe(263);
  for (const [state, decision] of expected) expect([state, statusOf(state)]).toEqual([state, decision]);
  expect(statusOf('AB123')).toBe('503 drop');
});

test.each([
  '08006',
  '25006',
  '28000',
  '3D000',
  '53100',
  '57P01',
  '57P02',
  '57P03',
  '57P04',
  '58030',
  'F0000',
])('the server reports its own state: %s', (state) => expect(decideState(state).unavailable).toBe('yes'));

test('an error that ends the session is unavailability, whatever its state', () => {
  expect(statusOf('42601', 'FATAL')).toBe('503 drop');
  expect(statusOf('42501', 'FATAL')).toBe('503 drop');
  expect(statusOf('XX000', 'PANIC')).toBe('503 drop');
  expect(statusOf('25006', 'FATAL')).toBe('503 pool');
  expect(statusOf(undefined)).toBe('503 drop');
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
  expect(isOutage(error)).toBe(false);
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
  expect(isConnectionBroken(error)).toBe(false);
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
