import type { Logger } from '@bv/telemetry';
import { readUnusableReply } from './reply-errors.ts';

/**
 * Why Redis cannot be used: logged when it changes, and the cause of refused calls. Reasons that alternate are logged
 * once a minute at most.
 */
export type UnusableReason = {
  /** `comesAndGoes`: other calls succeed meanwhile, which does not make it new. */
  set(error: unknown, options?: { comesAndGoes?: boolean }): void;
  /** A write has succeeded. */
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
    set: (error, { comesAndGoes = false } = {}) => {
      const { key, text } = describe(error, secret);
      const isNew = current?.key !== key;
      current = { key, cause: new Error(text) };
      const last = logged.get(key);
      const isRecent = last !== undefined && now() - last.atMs < repeatMs;
      if (!isNew || (isRecent && (comesAndGoes || last.outage === outage))) return;
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

/** The text alone: errors of the client carry the command and its arguments, a password among them. */
function describe(error: unknown, secret: string): { key: string; text: string } {
  const { message, code } = error as { message?: string; code?: string };
  const messages = error instanceof AggregateError ? error.errors.map(messageOf) : [message ?? String(error)];
  // A server that does not know a command repeats its arguments.
  const written = messages.join('; ').replace(/,? with args beginning with.*/s, '');
  const text = secret === '' ? written : written.replaceAll(secret, '[redacted]');
  return { key: readUnusableReply(error)?.code ?? code ?? text, text };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
