/** Something the person at the terminal can act on: shown as it is, without a stack trace. */
export class StackFailure extends Error {
  override name = 'StackFailure';
}

export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(messageOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
