import { randomUUID } from 'node:crypto';
import {
  ApiError,
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  listWebhookEndpoints,
  rotateWebhookSecret,
  updateWebhookEndpoint,
} from '@bv/contract';
import { type Result, type Route, route, processOnce } from '@bv/http';
import { buildPage, parsePage, toIdPosition, zeroUuid } from '@bv/pagination';
import type { Transaction } from '@bv/postgres';
import { issueSecret } from '../commands/endpoint-secrets.ts';
import { checkUrl, restartVerification, sendPing } from '../commands/endpoints.ts';
import type { Context } from '../context.ts';
import { expireSecrets } from '../db/endpoint-secrets.ts';
import {
  countEndpoints,
  deleteEndpoint,
  insertEndpoint,
  listEndpoints,
  updateEndpointDescription,
  updateEndpointRotation,
  updateEndpointUrl,
} from '../db/endpoints.ts';
import { lockPartner } from '../db/projections.ts';
import type { SecretCipher } from '../domain/secrets.ts';
import { requireEndpoint, requireLockedEndpoint, requirePartnerId } from './endpoint-access.ts';
import { prepareAndProcessOnce } from './prepare-once.ts';
import { presentEndpoint } from './present.ts';

const maxEndpoints = 100;

export function createWebhookEndpointRoute(ctx: Context): Route {
  const { pool, now, secretCipher } = ctx;
  return route(createWebhookEndpoint, async ({ body, caller }) => {
    const partnerId = requirePartnerId(caller);
    const { description = '', url } = body;
    const prepare = () => checkUrl(url, ctx);
    const work = async (tx: Transaction) => {
      const at = now();
      await lockPartner(tx, partnerId);
      if ((await countEndpoints(tx, partnerId)) >= maxEndpoints) {
        throw new ApiError('conflict', { message: `A partner has at most ${maxEndpoints} endpoints` });
      }
      const endpoint = await insertEndpoint(tx, { id: randomUUID(), partnerId, url, description, at });
      const secret = await issueSecret(tx, endpoint.id, at, secretCipher);
      await sendPing(tx, endpoint, at);
      return { data: { ...presentEndpoint(endpoint), secret } };
    };
    const response = await prepareAndProcessOnce(pool, caller, createWebhookEndpoint, { prepare, work });
    return decryptResponseSecret(response, secretCipher);
  });
}

export function listWebhookEndpointsRoute({ pool, cursors }: Context): Route {
  return route(listWebhookEndpoints, async ({ query, caller }) => {
    const partnerId = requirePartnerId(caller);
    const list = { operation: listWebhookEndpoints.id, collection: [partnerId] };
    const page = parsePage(cursors, list, query);
    const afterId = toIdPosition(page) ?? zeroUuid;
    const rows = await listEndpoints(pool, { partnerId, afterId, limit: page.limit + 1 });
    return buildPage(cursors, page, { rows, toSortKey: ({ id }) => [id], present: presentEndpoint });
  });
}

export function updateWebhookEndpointRoute(ctx: Context): Route {
  const { pool, now } = ctx;
  return route(updateWebhookEndpoint, async ({ params, body, caller }) => {
    const key = { id: params.endpointId, partnerId: requirePartnerId(caller) };
    const prepare = async () => {
      // The endpoint is checked before the URL: a foreign endpoint is always `not_found`.
      await requireEndpoint(pool, key);
      if (body.url !== undefined) await checkUrl(body.url, ctx);
    };
    const work = async (tx: Transaction) => {
      const at = now();
      let endpoint = await requireLockedEndpoint(tx, key);
      const { url, description } = body;
      if (description !== undefined && description !== endpoint.description) {
        endpoint = await updateEndpointDescription(tx, { id: key.id, description, at });
      }
      if (url !== undefined && url !== endpoint.url) {
        endpoint = await updateEndpointUrl(tx, { id: key.id, url, at });
        endpoint = await restartVerification(tx, endpoint, at);
      }
      return { data: presentEndpoint(endpoint) };
    };
    return prepareAndProcessOnce(pool, caller, updateWebhookEndpoint, { prepare, work });
  });
}

export function deleteWebhookEndpointRoute({ pool, now }: Context): Route {
  return route(deleteWebhookEndpoint, async ({ params, caller }) => {
    const key = { id: params.endpointId, partnerId: requirePartnerId(caller) };
    return processOnce(pool, caller, deleteWebhookEndpoint, async (tx) => {
      await requireLockedEndpoint(tx, key);
      await deleteEndpoint(tx, key.id, now());
      return { data: { id: key.id, deleted: true as const } };
    });
  });
}

export function rotateWebhookSecretRoute({ config, pool, now, secretCipher }: Context): Route {
  return route(rotateWebhookSecret, async ({ params, caller }) => {
    const key = { id: params.endpointId, partnerId: requirePartnerId(caller) };
    const response = await processOnce(pool, caller, rotateWebhookSecret, async (tx) => {
      const at = now();
      await requireLockedEndpoint(tx, key);
      await expireSecrets(tx, key.id, new Date(at.getTime() + config.WEBHOOKS_SECRET_OVERLAP_MS));
      const secret = await issueSecret(tx, key.id, at, secretCipher);
      const endpoint = await updateEndpointRotation(tx, key.id, at);
      return { data: { ...presentEndpoint(endpoint), secret } };
    });
    return decryptResponseSecret(response, secretCipher);
  });
}

type SecretResponse = Result<typeof createWebhookEndpoint>;

/** The recorded response holds the encrypted secret. It is decrypted just before it is sent, also for a retry. */
function decryptResponseSecret(response: SecretResponse, cipher: SecretCipher): SecretResponse {
  if ('pagination' in response) throw new Error('an endpoint response is not a list');
  const { data } = response;
  const secret = cipher.decrypt(data.secret, data.id);
  if (secret === undefined) throw new Error(`no key decrypts the secret of endpoint ${data.id}`);
  return { ...response, data: { ...data, secret } };
}
