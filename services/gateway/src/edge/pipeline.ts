import type { EdgeContext } from '../context.ts';
import { findRoute } from '../domain/routes.ts';
import { authenticate, checkFailedAttempts } from './authenticate.ts';
import { chargeAllowance } from './charge-allowance.ts';
import {
  checkIdempotencyKey,
  checkOrgAccess,
  checkPartnerOnly,
  checkPathIds,
  checkWriteRule,
  refuseBodyOnRead,
  refuseMalformed,
  refusePreflight,
  requireCredentials,
  requireRoute,
} from './checks.ts';
import { acquireIdempotencyKey } from './idempotency.ts';
import { serveDocument } from './serve-document.ts';
import type { Exchange } from './exchange.ts';
import { forward } from './forward.ts';
import { nameIgnoredParameters } from './ignored-parameters.ts';
import { readBody } from './read-body.ts';
import { refuse } from './refuse.ts';

/** Returns to continue, sends the response, or throws a refusal. */
export type Step = (exchange: Exchange, ctx: EdgeContext) => void | Promise<void>;

/**
 * The order of checks. The first refusal is the response. The order is part of the public contract: the same request gets
 * the same refusal every time.
 */
export const publicPipeline: readonly Step[] = [
  refuseMalformed,
  refusePreflight, // 405 cors_disabled
  requireCredentials, // 401, not counted for the address
  checkFailedAttempts, // 429 of the address, if this gateway has blocked it already
  authenticate, // 401, counted for the address
  chargeAllowance, // 429 of the address, with a valid key too; 429 rate_limited, 403 tier_not_entitled, 429 quota_exceeded
  refuseBodyOnRead, // 400 body_not_allowed
  requireRoute, // 404
  nameIgnoredParameters,
  checkPathIds, // 400
  checkOrgAccess, // 404
  checkPartnerOnly, // 403 partner_only, webhook management
  checkWriteRule, // 403 write_scope_required, link_scope_insufficient, partner_only of the link
  checkIdempotencyKey, // 400, writes
  readBody, // 413, 400 invalid_body, invalid_json, writes
  acquireIdempotencyKey, // replay, 409, writes with a key
  forward,
];

/** Outside /v1 the edge serves only documents, without a key. */
export const documentPipeline: readonly Step[] = [
  refuseMalformed,
  refusePreflight,
  refuseBodyOnRead,
  serveDocument,
];

/** Runs the steps until one has sent the response. Sends the response of an error. */
export async function runPipeline(
  pipeline: readonly Step[],
  exchange: Exchange,
  ctx: EdgeContext,
): Promise<void> {
  try {
    exchange.route = findRoute(exchange.request, ctx.routes);
    for (const step of pipeline) {
      const pending = step(exchange, ctx);
      if (pending !== undefined) await pending;
      if (exchange.hasResponse) return;
    }
  } catch (error) {
    refuse(exchange, error, ctx.log);
  }
}
