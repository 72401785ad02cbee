import { createLogger } from '@bv/telemetry';
import { expect, test } from '@jest/globals';
import { parseMoved, readUnusableReply, trackUnusableReason } from './redis-errors.ts';

const read = (message: string): unknown => {
  const { code, reaction } = readUnusableReply(new Error(message)) ?? {};
  return code === undefined ? undefined : `${code} ${reaction}`;
};

test.each([
  ["READONLY You can't write against a read only replica.", 'READONLY reconnect'],
  [
    "READONLY You can't write against a read only replica. script: 6c0e, on @user_script:27.",
    'READONLY reconnect',
  ],
  ["@user_script: 12: -READONLY You can't write against a read only replica.", 'READONLY reconnect'],
  ['@user_script:3: @user_script: 3: -NOREPLICAS Not enough good replicas to write.', 'NOREPLICAS reconnect'],
  [
    'ERR Error running script (call to f_1d): @user_script:1: @user_script: 1: -READONLY x',
    'READONLY reconnect',
  ],
  ['LOADING Redis is loading the dataset in memory', 'LOADING reconnect'],
  [
    "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
    'MASTERDOWN reconnect',
  ],
  ['MISCONF Redis is configured to save RDB snapshots', 'MISCONF reconnect'],
  ['CLUSTERDOWN Hash slot not served', 'CLUSTERDOWN reconnect'],
  ['NOAUTH Authentication required.', 'NOAUTH reconnect'],
  ['WRONGPASS invalid username-password pair or user is disabled.', 'WRONGPASS reconnect'],
  ['UNBLOCKED force unblock from blocking operation, instance state changed', 'UNBLOCKED reconnect'],
  ['MOVED 785 10.0.0.5:6379', 'MOVED follow'],
  ['ASK 785 10.0.0.5:6379', 'ASK keep'],
  ['TRYAGAIN Multiple keys request during rehashing of slot', 'TRYAGAIN keep'],
  ["OOM command not allowed when used memory > 'maxmemory'.", 'OOM keep'],
  ["NOPERM this user has no permissions to run the 'eval' command", 'NOPERM keep'],
  ['BUSY Redis is busy running a script.', 'BUSY keep'],
  ['WRONGTYPE Operation against a key holding the wrong kind of value', undefined],
  ['ERR value is not READONLY', undefined],
  ['BUSYKEY Target key name already exists.', undefined],
  ['Connection is closed.', undefined],
])('%s', (message, expected) => {
  expect(read(message)).toBe(expected);
});

test.each([
  ['MOVED 785 10.0.0.5:6379', { host: '10.0.0.5', port: 6379 }],
  ['MOVED 785 shard-1.cache.example.test:6380', { host: 'shard-1.cache.example.test', port: 6380 }],
  ['MOVED 785 2001:db8::1:6379', { host: '2001:db8::1', port: 6379 }],
  ['MOVED 785 :6381', { host: '', port: 6381 }],
  ['MOVED', undefined],
])('%s names the server that has the keys', (message, expected) => {
  expect(parseMoved(new Error(message))).toEqual(expected);
});

function createReason() {
  const lines: string[] = [];
  const destination = {
    write: (text: string) => void lines.push((JSON.parse(text) as { reason?: string }).reason ?? 'usable'),
  };
  const log = createLogger({ service: 'gateway', level: 'info', destination });
  let nowMs = 0;
  const reason = trackUnusableReason(log, { secret: '', now: () => nowMs });
  return { reason, lines, pass: (ms: number) => (nowMs += ms) };
}

test('two reasons that alternate are each logged once a minute', () => {
  const { reason, lines, pass } = createReason();
  for (let second = 0; second < 59; second += 1) {
    reason.set(new Error('MOVED 785 10.0.0.5:6379'));
    reason.set(new Error('connect ECONNREFUSED 10.0.0.5:6379'));
    pass(1_000);
  }
  expect(lines).toEqual(['MOVED 785 10.0.0.5:6379', 'connect ECONNREFUSED 10.0.0.5:6379']);
  pass(1_000);
  reason.set(new Error('MOVED 785 10.0.0.5:6379'));
  expect(lines).toHaveLength(3);
});

test('a new outage is logged at once, although it has the reason of the one before', () => {
  const { reason, lines } = createReason();
  reason.set(new Error('connect ECONNREFUSED'));
  reason.clear();
  reason.set(new Error('connect ECONNREFUSED'));
  expect(lines).toEqual(['connect ECONNREFUSED', 'usable', 'connect ECONNREFUSED']);
});

test('a reason that comes and goes while other calls succeed is logged once a minute', () => {
  const { reason, lines } = createReason();
  for (let call = 0; call < 9; call += 1) {
    reason.set(new Error('OOM command not allowed'), { isIntermittent: true });
    reason.clear();
  }
  expect(lines).toEqual(['OOM command not allowed', 'usable']);
});
