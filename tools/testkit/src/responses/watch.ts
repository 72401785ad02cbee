import type { StubKind } from './validate-response.ts';
import { observeResponses, type ObservedResponse } from './observe.ts';

const apiPath = /^\/v1\/(?:orgs|webhook-endpoints|methodology)(?:\/|$)/;

/** By port: a stub on this machine may be called by any host name. */
const stubs = new Map<string, StubKind>();
let observed: { response: ObservedResponse; stubKind: StubKind | undefined }[] = [];

/**
 * Excludes the server at this URL from validation. `data` is for a gateway in front of stubbed services: responses it
 * forwards are not validated, its own are.
 */
export function registerStub(url: string, kind: StubKind = 'all'): void {
  stubs.set(new URL(url).port, kind);
}

/** Collects every API response that this process receives, for `invalidResponses`. Returns a function that stops it. */
export function watchResponses(): () => void {
  return observeResponses((response) => {
    const stubKind = stubs.get(new URL(response.origin).port);
    if (stubKind !== 'all' && apiPath.test(response.path)) observed.push({ response, stubKind });
  });
}

/** Describes the responses since the last call that violate the document. */
export async function invalidResponses(): Promise<string[]> {
  if (observed.length === 0) return [];
  const responses = observed;
  observed = [];
  // Most test files of libraries never need the document and its validator.
  const { validateResponse } = await import('./validate-response.ts');
  return responses.flatMap(({ response, stubKind }) => {
    const findings = validateResponse(response, stubKind);
    return findings.length > 0 ? [describeResponse(response, findings)] : [];
  });
}

function describeResponse({ method, path, status, body }: ObservedResponse, findings: string[]): string {
  return [`${method} ${path} returned ${status}:`, ...findings.slice(0, 10), body.slice(0, 1_000)].join(
    '\n  ',
  );
}
