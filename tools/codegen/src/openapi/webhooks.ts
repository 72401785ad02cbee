/** The webhooks of the OpenAPI document. */
import { webhookEvents } from '@bv/contract';
import { z } from 'zod';

/** `ScanCompletedEvent` becomes `scanCompletedEvent`. */
const nameOperation = (schema: z.ZodType): string =>
  (schema.meta()?.id ?? '').replace(/^./, (letter) => letter.toLowerCase());

export const webhooks = Object.fromEntries(
  Object.entries(webhookEvents).map(([type, schema]) => [
    type,
    {
      post: {
        summary: `Sent to endpoints subscribed to ${type}`,
        operationId: nameOperation(schema),
        security: [],
        requestParams: {
          header: z.object({
            'webhook-id': z.string().describe('Id of the event, the same on every attempt.'),
            'webhook-timestamp': z.string().describe('Unix seconds of the attempt.'),
            'webhook-signature': z
              .string()
              .describe('Standard Webhooks signatures: `v1,` and base64, separated by spaces.'),
          }),
        },
        requestBody: { required: true, content: { 'application/json': { schema } } },
        responses: {
          '2XX': { description: 'Received. Any other response is retried.' },
          '410': { description: 'The receiver is gone. The delivery is not retried.' },
        },
      },
    },
  ]),
);
