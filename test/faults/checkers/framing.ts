/** One connection with bytes that two HTTP parsers may read as different requests. */
export type Exchange = {
  name: string;
  statuses: number[];
  text: string;
  /** Whether the bytes are valid HTTP that a strict server may serve. */
  legal: boolean;
  /** Number of requests that a strict parser finds. */
  requests: number;
};

const refused = new Set([400, 408, 413, 414, 417, 431, 501, 505]);

/** Returns smuggled requests that took effect, extra responses, and responses to invalid framing. */
export function checkFraming(exchanges: readonly Exchange[], smuggled: readonly string[]): string[] {
  const violations = smuggled.map((text) => `a smuggled request took effect: ${text}`);
  for (const { name, statuses, text, legal, requests } of exchanges) {
    if (statuses.length > requests)
      violations.push(`${name}: ${statuses.length} responses ${statuses.join(' ')}`);
    if (statuses.some((status) => status >= 500)) violations.push(`${name}: ${statuses.join(' ')}`);
    if (!legal && statuses.some((status) => !refused.has(status))) {
      violations.push(`${name}: served (${statuses.join(' ')}) although its framing is invalid`);
    }
    // Each response is framed by its length and names its request.
    const ids = text.match(/x-request-id: /gi)?.length ?? 0;
    if (ids !== statuses.filter((status) => status !== 100).length)
      violations.push(`${name}: a response without X-Request-Id`);
  }
  return violations;
}
