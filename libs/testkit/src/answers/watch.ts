import type { StandIn } from './judge.ts';
import { observeAnswers, type SeenAnswer } from './observe.ts';

const apiPath = /^\/v1\/(?:orgs|webhook-endpoints)(?:\/|$)/;

/** By port, since stand-ins run on this machine under whatever name they are called. */
const standIns = new Map<string, StandIn>();
let seen: { answer: SeenAnswer; standIn: StandIn | undefined }[] = [];

/**
 * Says that what listens at this address is no service: a test's own server, of whose answers nothing is expected,
 * or with `data` a gateway before such servers, whose data and refusals are theirs.
 */
export function standsIn(url: string, what: StandIn = 'all'): void {
  standIns.set(new URL(url).port, what);
}

/** From now on every answer of the API that this process gets is kept, to be compared with the document. */
export function watchAnswers(): () => void {
  return observeAnswers((answer) => {
    const standIn = standIns.get(new URL(answer.origin).port);
    if (standIn !== 'all' && apiPath.test(answer.path)) seen.push({ answer, standIn });
  });
}

/** The answers outside the document since the last time this was asked. */
export async function answersOutsideDocument(): Promise<string[]> {
  if (seen.length === 0) return [];
  const answers = seen;
  seen = [];
  // Most test files of libraries never need the document and its validator.
  const { judge } = await import('./judge.ts');
  return answers.flatMap(({ answer, standIn }) => {
    const findings = judge(answer, standIn);
    return findings.length > 0 ? [report(answer, findings)] : [];
  });
}

function report({ method, path, status, body }: SeenAnswer, findings: string[]): string {
  return [`${method} ${path} answered ${status}:`, ...findings.slice(0, 10), body.slice(0, 1_000)].join(
    '\n  ',
  );
}
