import type { Logger } from '@bv/telemetry';
import { readUnusableReply } from './reply-errors.ts';

/**
 * The reason why Redis cannot be used. It is logged when it changes, and is the cause of refused calls. Alternating reasons
 * are each logged at most once a minute.
 */
export type UnusableReason = {
  /** `isIntermittent`: other calls succeed in between, so the reason is logged at most once a minute. */
  set(error: unknown, options?: { isIntermittent?: boolean }): void;
  /** Called after a successful write. */
  clear(): void;
  cause(): Error | undefined;
};

const repeatMs = 60_000;

export function trackUnusableReason(
  log: Logger,
  { secret, now = () => performance.now() }: { secret: string; now?: () => number },
): UnusableReason {
  let current: { key: string; cause: Error } | undefined;
  /** When each reason was logged last, and in which outage. */
  const logged = new Map<string, { atMs: number; outage: number }>();
  let outage = 0;
  let isDownLogged = false;
  return {
    set: (error, { isIntermittent = false } = {}) => {
      const { key, text } = describe(error, secret);
      const isNew = current?.key !== key;
      current = { key, cause: new Error(text) };
      const last = logged.get(key);
      const isRecent = last !== undefined && now() - last.atMs < repeatMs;
      if (!isNew || (isRecent && (isIntermittent || last.outage === outage))) return;
      for (const [other, { atMs }] of logged) if (now() - atMs >= repeatMs) logged.delete(other);
      logged.set(key, { atMs: now(), outage });
      isDownLogged = true;
      log.warn({ reason: text }, 'Redis cannot be used; what it must count is refused');
    },
    clear: () => {
      current = undefined;
      outage += 1;
      if (isDownLogged) log.info('Redis can be used again');
      isDownLogged = false;
    },
    cause: () => current?.cause,
  };
}

/** Uses only the message: errors of the client contain the command with its arguments, for example a password. */
function describe(error: unknown, secret: string): { key: string; text: string } {
  const { message, code } = error as { message?: string; code?: string };
  const messages =
    error instanceof AggregateError ? error.errors.map(getMessage) : [message ?? String(error)];
  // The error of an unknown command repeats its arguments.
  const written = messages.join('; ').replace(/,? with args beginning with.*/s, '');
  const text = secret === '' ? written : written.replaceAll(secret, '[redacted]');
  return { key: readUnusableReply(error)?.code ?? code ?? text, text };
}

const getMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));
