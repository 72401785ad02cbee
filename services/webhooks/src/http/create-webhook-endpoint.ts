import { randomUUID } from 'node:crypto';
import { ApiError, createWebhookEndpoint } from '@bv/contract';
import { route } from '@bv/http';
import type { Transaction } from '@bv/postgres';
import { checkUrl } from '../commands/check-url.ts';
import { issueSecret } from '../commands/issue-secret.ts';
import { sendPing } from '../commands/send-ping.ts';
import type { Context } from '../context.ts';
import { countEndpoints, insertEndpoint } from '../db/endpoints.ts';
import { lockPartner } from '../db/partners.ts';
import { requirePartnerId } from './partner.ts';
import { prepareAndRunOnce } from './prepare-once.ts';
import { presentEndpoint } from './present.ts';
import { decryptResponseSecret } from './decrypt-response-secret.ts';

const maxEndpoints = 100;

export function createWebhookEndpointRoute(context: Context) {
  const { pool, now, encryptionKeys } = context;
  return route(createWebhookEndpoint, async ({ body, caller }) => {
    const partnerId = requirePartnerId(caller);
    const { description = '', url } = body;
    const prepare = () => checkUrl(url, context);
    const work = async (tx: Transaction) => {
      const at = now();
      await lockPartner(tx, partnerId);
      if ((await countEndpoints(tx, partnerId)) >= maxEndpoints) {
        throw new ApiError('conflict', { message: `A partner has at most ${maxEndpoints} endpoints` });
      }
      const endpoint = await insertEndpoint(tx, { id: randomUUID(), partnerId, url, description, at });
      const secret = await issueSecret(tx, endpoint.id, at, encryptionKeys);
      await sendPing(tx, endpoint, at);
      return { data: { ...presentEndpoint(endpoint), secret } };
    };
    const response = await prepareAndRunOnce(pool, caller, createWebhookEndpoint, { prepare, work });
    return decryptResponseSecret(response, encryptionKeys);
  });
}
