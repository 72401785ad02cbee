/** The refusals of an operation in the OpenAPI document. */
import { errorCodes, ErrorEnvelope, type Operation } from '@bv/contract';
import { listCodes } from './error-codes.ts';
import { errorExample } from './error-examples.ts';
import { responseHeaders } from './headers.ts';

/** Every refusal of the operation by status. The examples name its codes. */
export function errorResponses(operation: Operation): Record<string, object> {
  const byStatus = Map.groupBy(listCodes(operation), (code) => errorCodes[code].status);
  const entries = [...byStatus].sort(([a], [b]) => a - b);
  return Object.fromEntries(
    entries.map(([status, codes]) => [
      `${status}`,
      {
        description: codes.map((code) => `\`${code}\`: ${errorCodes[code].message}.`).join(' '),
        headers: responseHeaders(operation, status, codes),
        content: {
          'application/json': {
            schema: ErrorEnvelope,
            examples: Object.fromEntries(codes.map((code) => [code, errorExample(operation, code)])),
          },
        },
      },
    ]),
  );
}
