/** Exit status of every outcome, for scripts. */
export const exitStatus = { done: 0, refused: 1, usage: 2, unreachable: 3, notApplied: 4 } as const;

/** An error that ends a command: message, exit status, and hints how to fix it. */
export class Failure extends Error {
  readonly status: number;
  readonly hints: string[];
  /** The refusal as the operator API sent it, for `--json`. */
  readonly response: unknown;

  constructor(
    status: number,
    message: string,
    { hints = [], response }: { hints?: string[]; response?: unknown } = {},
  ) {
    super(message);
    this.name = 'Failure';
    this.status = status;
    this.hints = hints;
    this.response = response;
  }
}
