import { ApiError } from '@bv/contract';
import type { EdgeContext } from '../context.ts';
import { judgeKey } from '../domain/access.ts';
import type { Access } from '../domain/access.ts';
import { hashKey, hasKeyShape } from '../domain/api-key.ts';
import { refuseAddress } from './check-failed-attempts.ts';
import type { Exchange } from './exchange.ts';

/** Shape, lookup, revocation, expiry, partner, organisation: one answer for every reason. */
export async function authenticate(exchange: Exchange, context: EdgeContext): Promise<void> {
  exchange.access = hasKeyShape(exchange.presentedKey) ? await readAccess(exchange, context) : undefined;
  if (exchange.access !== undefined) return;
  const attempts = await context.failedAttempts.count(exchange.address);
  context.edgeMetrics.gate('counted');
  const most = context.config.FAILED_ATTEMPTS_PER_MINUTE;
  // Of many attempts at the same time no more are answered than one after the other.
  if (attempts.count > most) throw refuseAddress(exchange, context, attempts);
  if (attempts.count === most) context.failedAttempts.refuse(exchange.address, attempts.resetSeconds);
  throw new ApiError('invalid_api_key');
}

async function readAccess(
  exchange: Exchange,
  { access, config, log }: EdgeContext,
): Promise<Access | undefined> {
  const hashes = hashKey(exchange.presentedKey, config.KEY_PEPPERS).map(({ hash }) => hash);
  const orgId = exchange.route?.orgId ?? null;
  try {
    return judgeKey(await access.read({ hashes, orgId }));
  } catch (cause) {
    log.error({ err: cause, requestId: exchange.requestId }, 'access cannot be read');
    throw new ApiError('api_unavailable', { cause });
  }
}
