/** One connection on which more than one reading of the bytes was possible. */
export type Exchange = {
  name: string;
  statuses: number[];
  text: string;
  /** Whether the bytes are good HTTP that a strict server may serve. */
  legal: boolean;
  /** How many requests a strict reader finds. */
  requests: number;
};

const refused = new Set([400, 408, 413, 414, 417, 431, 501, 505]);

/** Answers that a second reading of the same bytes made possible, and what was smuggled and took effect. */
export function checkFraming(exchanges: readonly Exchange[], smuggled: readonly string[]): string[] {
  const violations = smuggled.map((text) => `a smuggled request took effect: ${text}`);
  for (const { name, statuses, text, legal, requests } of exchanges) {
    if (statuses.length > requests)
      violations.push(`${name}: ${statuses.length} answers ${statuses.join(' ')}`);
    if (statuses.some((status) => status >= 500)) violations.push(`${name}: ${statuses.join(' ')}`);
    if (!legal && statuses.some((status) => !refused.has(status))) {
      violations.push(`${name}: served (${statuses.join(' ')}) although its framing is broken`);
    }
    // Every answer is told apart from the next by its length, and says which request it was.
    const ids = text.match(/x-request-id: /gi)?.length ?? 0;
    if (ids !== statuses.filter((status) => status !== 100).length)
      violations.push(`${name}: an answer without X-Request-Id`);
  }
  return violations;
}
