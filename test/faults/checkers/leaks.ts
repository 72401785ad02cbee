/** One attempt to access data of another tenant. */
export type Attempt = {
  name: string;
  /** Path and body that were sent. A response may repeat them. */
  sent: string;
  status: number;
  code: string | null;
  text: string;
  /** Response to the same request with ids that were never issued. It must be the same. */
  unknown?: string;
  /** The correct responses: status and code. */
  allowed: readonly (readonly [number, string | null])[];
};

/** Returns texts of the victim in responses, unexpected responses, and changed rows of the victim. */
export function checkLeaks(
  attempts: readonly Attempt[],
  marks: readonly string[],
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): string[] {
  const violations: string[] = [];
  for (const { name, sent, status, code, text, unknown, allowed } of attempts) {
    if (!allowed.some(([allowedStatus, allowedCode]) => status === allowedStatus && code === allowedCode)) {
      violations.push(`${name}: returned ${status} ${code ?? ''} ${text.slice(0, 200)}`);
    }
    if (unknown !== undefined && withoutIds(text) !== withoutIds(unknown)) {
      violations.push(`${name}: differs from the response for an unknown id: ${text} / ${unknown}`);
    }
    const leaked = marks.find((mark) => text.includes(mark) && !sent.includes(mark));
    if (leaked !== undefined) violations.push(`${name}: the response contains ${leaked}`);
  }
  for (const table of new Set([...before.keys(), ...after.keys()])) {
    if (before.get(table) !== after.get(table)) violations.push(`${table}: rows of the victim have changed`);
  }
  return violations;
}

const withoutIds = (text: string): string =>
  text.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'id');
