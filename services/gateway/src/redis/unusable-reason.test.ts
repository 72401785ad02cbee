import { createLogger } from '@bv/telemetry';
import { expect, test } from '@jest/globals';
import { trackUnusableReason } from './unusable-reason.ts';

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
