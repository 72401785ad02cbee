/** An error that the user can fix. `npm start` prints its message without a stack trace. */
export class StackFailure extends Error {
  override name = 'StackFailure';
}

export function toErrorMessage(error: unknown): string {
  if (error instanceof AggregateError && error.message === '')
    return error.errors.map(toErrorMessage).join('; ');
  return error instanceof Error ? error.message : String(error);
}
