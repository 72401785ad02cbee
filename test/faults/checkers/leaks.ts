/** One attempt to reach what belongs to another tenant. */
export type Attempt = {
  name: string;
  /** What was sent, path and body: an answer may repeat that. */
  sent: string;
  status: number;
  code: string | null;
  text: string;
  /** The answer to the same about ids that were never issued: it must not tell that the others exist. */
  unknown?: string;
  /** The answers that say no. */
  allowed: readonly (readonly [number, string | null])[];
};

/** Texts of the victim in an answer, success where there must be none, and changes to what is the victim's. */
export function checkLeaks(
  attempts: readonly Attempt[],
  marks: readonly string[],
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): string[] {
  const violations: string[] = [];
  for (const { name, sent, status, code, text, unknown, allowed } of attempts) {
    if (!allowed.some(([allowedStatus, allowedCode]) => status === allowedStatus && code === allowedCode)) {
      violations.push(`${name}: answered ${status} ${code ?? ''} ${text.slice(0, 200)}`);
    }
    if (unknown !== undefined && withoutIds(text) !== withoutIds(unknown)) {
      violations.push(`${name}: told apart from an id that does not exist: ${text} / ${unknown}`);
    }
    const leaked = marks.find((mark) => text.includes(mark) && !sent.includes(mark));
    if (leaked !== undefined) violations.push(`${name}: the answer shows ${leaked}`);
  }
  for (const table of new Set([...before.keys(), ...after.keys()])) {
    if (before.get(table) !== after.get(table)) violations.push(`${table}: rows of the victim have changed`);
  }
  return violations;
}

const withoutIds = (text: string): string =>
  text.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'id');
