/** Exit status of every outcome, for scripts. */
export const exitStatus = {
  done: 0,
  refused: 1,
  usage: 2,
  unreachable: 3,
  notApplied: 4,
  wrongToken: 5,
  otherServer: 6,
  linesRejected: 7,
} as const;

const meanings: Record<number, string> = {
  [exitStatus.done]: 'done',
  [exitStatus.refused]: 'refused',
  [exitStatus.usage]: 'invalid usage or not confirmed, nothing was sent',
  [exitStatus.unreachable]: 'not reachable or unavailable',
  [exitStatus.notApplied]: 'stored but not applied everywhere yet',
  [exitStatus.wrongToken]: 'wrong operator token',
  [exitStatus.otherServer]: 'the address is another server',
  [exitStatus.linesRejected]: 'lines of an import were rejected',
};

/** The meaning of every exit status, for the help. */
export const describeExitStatuses = (): string =>
  Object.entries(meanings)
    .map(([status, meaning]) => `  ${status}  ${meaning}`)
    .join('\n');

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
