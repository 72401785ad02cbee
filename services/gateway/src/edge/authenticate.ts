import { ApiError } from '@bv/contract';
import type { EdgeContext } from '../context.ts';
import { resolveAccess } from '../domain/access.ts';
import type { Access } from '../domain/access.ts';
import { hashKey, hasKeyShape } from '../domain/api-key.ts';
import { refuseAddress } from './check-failed-attempts.ts';
import type { Exchange } from './exchange.ts';

/** Checks shape, lookup, revocation, expiry, partner and organisation. Every reason gets the same 401. */
export async function authenticate(exchange: Exchange, context: EdgeContext): Promise<void> {
  exchange.access = hasKeyShape(exchange.presentedKey) ? await readAccess(exchange, context) : undefined;
  if (exchange.access !== undefined) return;
  const attempts = await context.failedAttempts.count(exchange.address);
  context.edgeMetrics.authFailureLimiter('counted');
  const maxAttempts = context.config.FAILED_ATTEMPTS_PER_MINUTE;
  // Parallel attempts get no more 401 responses than sequential ones.
  if (attempts.count > maxAttempts) throw refuseAddress(exchange, context, attempts);
  if (attempts.count === maxAttempts) context.failedAttempts.refuse(exchange.address, attempts.resetSeconds);
  throw new ApiError('invalid_api_key');
}

async function readAccess(
  exchange: Exchange,
  { access, config, log }: EdgeContext,
): Promise<Access | undefined> {
  const hashes = hashKey(exchange.presentedKey, config.KEY_PEPPERS).map(({ hash }) => hash);
  const orgId = exchange.route?.orgId ?? null;
  try {
    return resolveAccess(await access.read({ hashes, orgId }));
  } catch (cause) {
    log.error({ err: cause, requestId: exchange.requestId }, 'the access of the key could not be read');
    throw new ApiError('api_unavailable', { cause });
  }
}
