export type Secret = { name: string; value: string };

/** So much of a secret in a log is a secret in a log. */
const tellingLength = 16;

/**
 * Every secret that a log shows, as it is, in base64, percent-encoded, or in a piece of it that is long enough
 * to matter. A key may be quoted by its first 12 characters.
 */
export function checkSecrets(logs: ReadonlyMap<string, string>, secrets: readonly Secret[]): string[] {
  const violations: string[] = [];
  for (const [log, text] of logs) {
    for (const { name, value } of secrets) {
      const shown = formsOf(value).find((form) => text.includes(form));
      if (shown === undefined) continue;
      const line = text.slice(0, text.indexOf(shown)).split('\n').length;
      violations.push(`${log} line ${line} shows ${name}`);
    }
  }
  return violations;
}

function formsOf(value: string): string[] {
  const pieces =
    value.length < 2 * tellingLength
      ? [value]
      : [value.slice(12, 12 + tellingLength), value.slice(-tellingLength)];
  const forms = pieces.flatMap((piece) => [
    piece,
    encodeURIComponent(piece),
    JSON.stringify(piece).slice(1, -1),
  ]);
  // A base64 text at each of the three places where the secret may begin in what was encoded.
  const encoded = [0, 1, 2].map((skip) => {
    const whole = Buffer.from(value.slice(skip)).toString('base64').replace(/=+$/, '');
    return whole.slice(0, -2);
  });
  return [...forms, ...encoded].filter((form) => form.length >= 12);
}
