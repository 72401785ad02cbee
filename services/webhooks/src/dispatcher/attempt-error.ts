import type { deliveryErrors } from '@bv/contract';

export type DeliveryErrorCode = (typeof deliveryErrors)[number];

/** Why an attempt failed, in the only words that partners get to see. */
export class AttemptError extends Error {
  override readonly name = 'AttemptError';
  readonly code: DeliveryErrorCode;

  constructor(code: DeliveryErrorCode, options?: ErrorOptions) {
    super(code, options);
    this.code = code;
  }
}
