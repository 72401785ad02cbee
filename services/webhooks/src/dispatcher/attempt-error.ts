import type { deliveryErrors } from '@bv/contract';

export type DeliveryErrorCode = (typeof deliveryErrors)[number];

/** Why an attempt failed. Its code is all that partners see of the cause. */
export class AttemptError extends Error {
  override readonly name = 'AttemptError';
  readonly code: DeliveryErrorCode;

  constructor(code: DeliveryErrorCode, options?: ErrorOptions) {
    super(code, options);
    this.code = code;
  }
}
