import { ApiError, rotateWebhookSecret } from '@bv/contract';
import { route, runOnce } from '@bv/http';
import { issueSecret } from '../commands/issue-secret.ts';
import type { Context } from '../context.ts';
import { expireSecrets } from '../db/endpoint-secrets.ts';
import { lockEndpoint, updateEndpointRotation } from '../db/endpoints.ts';
import { requirePartnerId } from './partner.ts';
import { presentEndpoint } from './present.ts';
import { decryptResponseSecret } from './decrypt-response-secret.ts';

export function rotateWebhookSecretRoute({ pool, now, encryptionKeys, secretOverlapMs }: Context) {
  return route(rotateWebhookSecret, async ({ params, caller }) => {
    const key = { id: params.endpointId, partnerId: requirePartnerId(caller) };
    const response = await runOnce(pool, caller, rotateWebhookSecret, async (tx) => {
      const at = now();
      if ((await lockEndpoint(tx, key)) === undefined) throw new ApiError('not_found');
      await expireSecrets(tx, key.id, new Date(at.getTime() + secretOverlapMs));
      const secret = await issueSecret(tx, key.id, at, encryptionKeys);
      const endpoint = await updateEndpointRotation(tx, key.id, at);
      return { data: { ...presentEndpoint(endpoint), secret } };
    });
    return decryptResponseSecret(response, encryptionKeys);
  });
}
