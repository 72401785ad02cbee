/** Settings of a session, by their names in PostgreSQL. */
export type SessionSettings = Readonly<Record<string, string>>;

/**
 * Every session has these values, whatever the server, the database or the role sets. Not in the list:
 * `default_transaction_read_only`, which protects a server, and what only tunes plans, memory or durability. The schema of
 * the role is pinned as `search_path` too.
 */
export const pinnedSettings: SessionSettings = {
  // A statement after a lock reads what the previous holder committed. Other levels would fail with 40001 there.
  default_transaction_isolation: 'read committed',
  default_transaction_deferrable: 'off',
  // The client's deadlines and `statement_timeout` bound every wait. The pool closes idle connections.
  lock_timeout: '0',
  transaction_timeout: '0',
  idle_session_timeout: '0',
  // A stopped process must not hold its locks.
  idle_in_transaction_session_timeout: '30000',
  // The type parsers read this text, and statements cast it.
  TimeZone: 'UTC',
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
  // Literals and arrays mean what the statements say: backslashes are plain, NULL is no text.
  standard_conforming_strings: 'on',
  array_nulls: 'on',
  // Every row is read: a policy would fail the statement, a limit would return a random part of an index.
  row_security: 'on',
  gin_fuzzy_search_limit: '0',
  // JIT makes small reads 27 times slower.
  jit: 'off',
};
