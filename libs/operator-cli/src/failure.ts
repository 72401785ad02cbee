/** Exit status of every outcome; scripts tell them apart. */
export const exitStatus = { done: 0, refused: 1, usage: 2, unreachable: 3, notApplied: 4 } as const;

/** What ends a command: what happened, what to do about it, and the status to exit with. */
export class Failure extends Error {
  readonly status: number;
  readonly advice: string[];
  /** The refusal as the plane sent it, for `--json`. */
  readonly answer: unknown;

  constructor(
    status: number,
    message: string,
    { advice = [], answer }: { advice?: string[]; answer?: unknown } = {},
  ) {
    super(message);
    this.name = 'Failure';
    this.status = status;
    this.advice = advice;
    this.answer = answer;
  }
}
